/** Why a label went away again. */
export const labelRefusal = (login: string, label: string): string =>
  `${login}, \`${label}\` asks Sluice to work on this issue, which takes write permission here. The label was removed; somebody with write permission can set it, or comment \`/auto\`.`;
