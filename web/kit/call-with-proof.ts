import { type ApiFailure, type ApiResponse, callApi } from './call-api.ts'
import { showWork } from './waiting.ts'

/** A proof can end while it is made, and its answer can be lost. */
const proofsMax = 2

/**
 * Calls an operation that may need a proof of work. If the service asks for a proof of work, the browser makes one, and the page says so. Without
 * a proof, the answer is the one of a request too many.
 */
export const callWithProof = async <Body = unknown>(
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<ApiResponse<Body>> => {
  let response = await callApi<Body>('POST', path, { body })
  for (let proofs = 0; proofs < proofsMax; proofs++) {
    if (response.isOk) break
    const proof = await proveFor(response)
    if (proof === undefined) break
    response = await callApi<Body>('POST', path, { body: { ...body, proof } })
  }
  return response
}

/** Makes the proof that an answer asks for, and says so on the page. Undefined if it asks for none, or the browser cannot make one. */
export const proveFor = async ({ problem }: ApiFailure): Promise<string | undefined> => {
  const { reason, challenge } = problem
  return reason === 'proof_required' && challenge ? showWork(prove(challenge)) : undefined
}

/** Most people never need the solver. Returns undefined if it cannot be loaded, or the browser cannot derive keys. */
const prove = async (challenge: object): Promise<string | undefined> => {
  try {
    return await (await import('./solve-challenge.ts')).solveForProof(challenge)
  } catch {
    return undefined
  }
}
