import type { FaultPlan } from '../faults/fault-plan.js';
import { refusalByFault } from '../faults/ref-refusal.js';
import type { PushPolicy } from '../git/protocol/receive-pack.js';
import type { PushResult } from '../git/protocol/smart-http.js';
import { actorOf, viewerName } from '../identity/viewer.js';
import type { Journal } from '../journal/journal.js';
import { pushPolicy } from '../resources/protection/push-gate.js';
import { refsMoved } from '../resources/refs/rules.js';
import { fullName } from '../world/lookup.js';
import type { Repository } from '../world/model.js';
import type { Context } from './context.js';
import type { PushRate } from './push-rate.js';
import type { Reply } from './reply.js';

export interface PushParts {
  readonly faults: FaultPlan;
  readonly journal: Journal;
  readonly rate: PushRate;
}

/** What github.com has been seen to answer when pushes to one repository come too fast. */
const TOO_MANY = { reason: 'failed' };

/** Where every push by git passes: rules, faults, what follows from it, journal. */
export class Pushes {
  readonly #parts: PushParts;

  constructor(parts: PushParts) {
    this.#parts = parts;
  }

  /** The fault that turns this push away before git has listed any ref; `null` when none does. */
  turnedAwayBy({ world, db, viewer }: Context, repository: Repository): string | null {
    const [hit] = this.#parts.faults.forPush({
      repository: fullName(db, repository),
      actor: viewerName(viewer),
      tokenAgeMs: viewer.kind === 'installation' ? world.now() - viewer.token.createdAt : null,
    });
    return hit === undefined ? null : `${hit.effect.kind}#${hit.id}`;
  }

  /** Judges and takes a push; `run` hands it to git. */
  async receive(
    context: Context,
    repository: Repository,
    run: (policy: PushPolicy) => Promise<PushResult>,
  ): Promise<{ readonly reply: Reply; readonly fault: string | null }> {
    const { world, db, viewer } = context;
    const where = { repository: fullName(db, repository), actor: viewerName(viewer) };
    return world.exclusive(repository.id, async () => {
      const at = world.now();
      const { inLastMinute, tooMany } = this.#parts.rate.count(repository.id, at);
      const hits: string[] = tooMany ? ['pushes-per-minute'] : [];
      const rules = pushPolicy(context, repository);
      const { reply, updates, refs } = await run(async (update, incoming) => {
        const byRules = await rules(update, incoming);
        if (byRules !== null) return byRules;
        if (tooMany) return TOO_MANY;
        const byFault = refusalByFault(this.#parts.faults, update, where);
        if (byFault !== null) hits.push(byFault.fault);
        return byFault;
      });
      const fault = hits.join(' ') || null;
      const how = { tokenKind: viewer.kind, refs, inLastMinute, fault };
      this.#parts.journal.add({ kind: 'push', at, ...where, ...how });
      await refsMoved(world, actorOf(viewer), repository, updates);
      return { reply, fault };
    });
  }
}
