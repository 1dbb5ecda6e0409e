import type { ApiFailure } from '../kit/call-api.ts'
import { type Action, useAction } from '../kit/use-action.ts'
import { runConfirmed } from './run-confirmed.ts'

/** Runs work like `useAction`. The person first confirms their identity if the service asks for it. */
export const useConfirmedAction = <Args extends readonly unknown[]>(
  work: (...args: Args) => Promise<ApiFailure | undefined>,
): Action<Args> => useAction((...args: Args) => runConfirmed(() => work(...args)))
