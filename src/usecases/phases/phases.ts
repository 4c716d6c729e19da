import type { AgentPhase } from '../../domain/issue/phase.js';
import { codePhase } from './code/code-phase.js';
import type { AnyPhase } from './definition.js';
import { issuePhase } from './issue/issue-phase.js';
import { reviewPhase } from './review/review-phase.js';
import { specPhase } from './spec/spec-phase.js';
import { verifyPhase } from './verify/verify-phase.js';

/**
 * Every phase in which a model works. No other file imports the folders of the phases.
 *
 * To add a phase, write its folder and `skills/<phase>/SKILL.md`, and name it here and in `AGENT_PHASES`. The compiler then asks for
 * its limits and models.
 */
export const PHASES = {
  issue: issuePhase,
  spec: specPhase,
  code: codePhase,
  review: reviewPhase,
  verify: verifyPhase,
} satisfies Readonly<Record<AgentPhase, AnyPhase>>;
