/** A slash command as the CLI expanded it: `/sluice:code acme/web#42`. */
export interface SkillCall {
  /** Without the slash, with the plugin: `sluice:code`. */
  readonly name: string;
  readonly args: string;
}

export interface IssueMention {
  /** `owner/name`, when the mention says so. */
  readonly repository: string | null;
  readonly number: number;
}

/** The newest slash command among the user's texts. Only a text that starts with the CLI's tags counts, not a quoted one. */
export function skillCallOf(texts: readonly string[]): SkillCall | null {
  const expanded = texts.findLast((text) => /^\s*<command-(?:message|name)>/.test(text));
  const name = expanded === undefined ? undefined : tag(expanded, 'command-name');
  if (expanded === undefined || name === undefined) return null;
  return { name: name.replace(/^\//, ''), args: tag(expanded, 'command-args') ?? '' };
}

export function mentionedIssue(skill: SkillCall | null, prompt: string): IssueMention | null {
  const text = skill?.args ?? prompt;
  const reference = /(?:([\w.-]+\/[\w.-]+))?(?:#|\/issues\/)(\d+)\b/.exec(text);
  if (reference !== null) return { repository: reference[1] ?? null, number: Number(reference[2]) };
  // A bare number means an issue only as a skill's argument.
  const bare = skill === null ? null : /(?:^|\s)(\d+)(?=\s|$)/.exec(text);
  return bare === null ? null : { repository: null, number: Number(bare[1]) };
}

function tag(text: string, name: string): string | undefined {
  return new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(text)?.[1]?.trim();
}
