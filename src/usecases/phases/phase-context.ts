import { stateOf } from '../../domain/state/evidence.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import type { Observer } from '../engine.js';
import type { PhaseContext } from './prompt.js';

/** What rendering a prompt needs, without running an agent. */
export interface PromptInputs {
  readonly engine: Observer;
  readonly snapshot: IssueSnapshot;
}

/** What every prompt is made from. */
export async function phaseContext({ engine, snapshot }: PromptInputs): Promise<PhaseContext> {
  const state = stateOf(snapshot);
  const { title, body } = state.run?.authorised ?? snapshot;
  return {
    ref: snapshot.ref,
    nonce: engine.newId(),
    fence: engine.newId().replaceAll(/[^a-zA-Z0-9]/g, ''),
    issue: { title, body, isTrusted: state.run?.authorTrusted ?? false },
    base: { ref: snapshot.base.ref, oid: snapshot.base.head },
    test: await engine.testCommand(snapshot.ref, snapshot.base.head),
    handoff: state.handoff,
    guidance: state.run?.guidance ?? null,
    feedback: state.feedback,
  };
}
