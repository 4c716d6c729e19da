/** Patterns of credentials of any owner. The first group, if there is one, stays in the text. */
export const SECRET_PATTERNS: readonly RegExp[] = [
  // Installation tokens have grown from 40 to more than 500 characters: a number, then a JWT.
  /\bgh[pousr]_[\w.-]{19,}[\w-]/g,
  /\bgithub_pat_\w{20,}/g,
  /\bsk-ant-[\w-]{10,}/g,
  /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g,
  /(\baws_secret_access_key["']?\s{0,9}[:=]\s{0,9}["']?)[A-Za-z0-9+/]{40}/gi,
  /\b(?:xox[abeprs]-[\w-]{10,}|npm_[A-Za-z0-9]{36}|glpat-[\w-]{20,}|AIza[\w-]{35})/g,
  // A whole key, or a part of it.
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[A-Za-z0-9+/=\s\\:,.-]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|(?![A-Za-z0-9+/=\s\\:,.-]))/g,
  /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g,
  /(\bauthorization["']?\s{0,9}[:=]\s{0,9}["']?(?:bearer|basic|token)\s{1,9})[\w.~+/=-]{8,}/gi,
  /(\bbearer\s{1,9})(?=[a-z.~+/=_-]{0,60}\d)[\w.~+/=-]{20,}/gi,
  // `x-access-token:` in base64, as git sends it.
  /eC1hY2Nlc3MtdG9rZW46[A-Za-z0-9+/=]*/g,
  /(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@:"'<>\\`]*:[^\s/@"'<>\\`]+(?=@)/gi,
];
