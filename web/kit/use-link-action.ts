import { useState } from 'preact/hooks'
import { callApi } from './call-api.ts'
import { type LinkState, replaceLinkState } from './link-state.ts'
import { type Action, useAction } from './use-action.ts'

export interface LinkAction<Result> {
  /** The answer of the service, or `before` if the link was used before the page was loaded again. */
  readonly result: Result | 'before' | undefined
  /** Why the link of the email does not work. */
  readonly problem: 'incomplete' | 'used' | undefined
  readonly action: Action<[]>
}

/** Sends the token of an emailed link once the person presses the button of its page. A link works once. */
export const useLinkAction = <Result>(
  { token = '', isDone }: LinkState,
  path: string,
): LinkAction<Result> => {
  const [result, setResult] = useState<Result | 'before' | undefined>(isDone ? 'before' : undefined)
  const [problem, setProblem] = useState<'incomplete' | 'used' | undefined>(
    isDone || token ? undefined : 'incomplete',
  )
  const action = useAction(async () => {
    const response = await callApi<Result>('POST', path, { body: { token } })
    if (response.isOk) {
      replaceLinkState({ isDone: true })
      setResult(response.body)
      return undefined
    }
    if (response.problem.code !== 'invalid_token') return response
    setProblem('used')
    return undefined
  })
  return { result, problem, action }
}
