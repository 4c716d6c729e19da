import type { components } from '@octokit/openapi-types';
import type { Scope } from '../../http/context.js';
import type { ReactionContent } from '../../world/model.js';

/** How often each reaction was given to an issue, comment or review; `url` is the address of that subject. */
export function reactionRollup({ db }: Scope, subjectId: number, url: string) {
  const given = db.reactions.by('subjectId', subjectId);
  const count = (content: ReactionContent) => given.filter((reaction) => reaction.content === content).length;
  return {
    url: `${url}/reactions`,
    total_count: given.length,
    '+1': count('+1'),
    '-1': count('-1'),
    laugh: count('laugh'),
    hooray: count('hooray'),
    confused: count('confused'),
    heart: count('heart'),
    rocket: count('rocket'),
    eyes: count('eyes'),
  } satisfies components['schemas']['reaction-rollup'];
}
