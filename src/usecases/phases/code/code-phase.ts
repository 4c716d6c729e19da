import type { PhaseDefinition } from '../definition.js';
import { type CodeContext, type CodeFacts, codeSchema, judgeCode, type JudgedCode, renderCode } from './judge-code.js';
import { codeContext, runCode } from './run-code.js';

export const codePhase: PhaseDefinition<CodeContext, JudgedCode, CodeFacts> = {
  context: codeContext,
  render: renderCode,
  schema: codeSchema,
  judge: judgeCode,
  run: runCode,
};
