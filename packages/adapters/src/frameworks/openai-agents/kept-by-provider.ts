import { keepIn } from '@unrut/engine/recent';
import type { Dialect } from '../dialect.ts';
import type { Boundary } from '../guarded-answer.ts';
import type { Asked } from '../known-conversations.ts';
import {
  type AgentRequest,
  type AgentResponse,
  callsIn,
  inputOfAgent,
  openaiAgentsDialect,
  refusalItem,
} from './dialect.ts';

/**
 * Conversations stored by the provider: a request names its predecessor, and contains only new
 * items.
 */
export interface KeptByProvider {
  /** The parts of the adapter that depend on where the history is stored. */
  boundaryOf(
    request: AgentRequest,
  ): Pick<Boundary<AgentRequest, AgentResponse>, 'dialect' | 'request' | 'asked' | 'answered'>;
  /** Adds the items that could not be sent to the provider before. */
  complete(request: AgentRequest): AgentRequest;
}

const MAX_NAMES = 1000;

export function createKept(): KeptByProvider {
  /** Session by response. */
  const sessions = new Map<string, string>();
  /**
   * Items that the provider lacks, by session: results without a request, and the ends of blocked
   * calls.
   */
  const unsent = new Map<string, readonly unknown[]>();

  const sessionOf = ({ conversationId, previousResponseId }: AgentRequest): string | undefined =>
    conversationId ||
    (previousResponseId && (sessions.get(previousResponseId) ?? previousResponseId)) ||
    undefined;

  return {
    boundaryOf(request) {
      const session = sessionOf(request);
      let last: AgentResponse | undefined;
      const answered: Boundary<AgentRequest, AgentResponse>['answered'] = (
        response,
        { conversation },
      ) => {
        last = response;
        if (response.responseId)
          keepIn(sessions, response.responseId, conversation.session, MAX_NAMES);
        if (session !== undefined) unsent.delete(session);
      };
      if (session === undefined) return { dialect: openaiAgentsDialect, request, answered };
      const dialect: Dialect<AgentRequest, AgentResponse> = {
        ...openaiAgentsDialect,
        without(response, refused) {
          const calls = callsIn(response.output);
          const refusals = refused.map(({ index, text }) => refusalItem(calls[index]!, text));
          keepIn(unsent, session, refusals, MAX_NAMES);
          return openaiAgentsDialect.without(response, refused);
        },
        finalAnswer(asked, plan) {
          const open = last && callsIn(last.output).map((call) => refusalItem(call, plan.toModel));
          keepIn(
            unsent,
            session,
            open ?? [...(unsent.get(session) ?? []), ...inputOfAgent(request.input)],
            MAX_NAMES,
          );
          const responseId = last?.responseId ?? request.previousResponseId;
          return {
            ...openaiAgentsDialect.finalAnswer(asked, plan),
            ...(responseId ? { responseId } : {}),
          };
        },
      };
      const asked: Asked = { session, isRest: true };
      return { dialect, request, asked, answered };
    },
    complete(request) {
      const lacking = unsent.get(sessionOf(request) ?? '');
      return lacking
        ? { ...request, input: [...lacking, ...inputOfAgent(request.input)] }
        : request;
    },
  };
}
