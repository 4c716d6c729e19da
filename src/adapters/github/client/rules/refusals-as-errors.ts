import type { Clock } from '../../../../ports/clock.js';
import { graphqlBody, refusalOf } from '../errors.js';
import { answerOf, contextOf, isGraphql, type RequestOptions, routeOf, type Rule } from './rule.js';

/** Turns refused requests into our errors. */
export const refusalsAsErrors =
  (clock: Clock): Rule =>
  async (send, options) => {
    const response = await send(options);
    const answer = answerOf(response);
    if (isGraphql(options)) {
      const data = graphqlBody(addressOf(options), answer, clock.now());
      contextOf(options).onAnswer?.(answer);
      return { ...response, data };
    }
    if (answer.status >= 400) throw refusalOf(routeOf(options), answer, clock.now());
    return response;
  };

const addressOf = ({ baseUrl, url }: RequestOptions): string => (url.startsWith('/') ? `${baseUrl}${url}` : url);
