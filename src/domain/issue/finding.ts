export const SEVERITIES = ['MUST', 'SHOULD', 'CONSIDER'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** One remark of a review. Only MUST stops a merge. */
export interface Finding {
  readonly severity: Severity;
  readonly file: string;
  readonly line: number | null;
  readonly text: string;
}

export function mustFindings(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter((finding) => finding.severity === 'MUST');
}

export function formatFinding({ severity, file, line, text }: Finding): string {
  return `${severity} ${file}${line === null ? '' : `:${line}`} ${text}`;
}
