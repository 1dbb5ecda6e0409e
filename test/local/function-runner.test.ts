import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { beforeEach, describe, expect, it } from 'vitest'
import { createFunctionRunner } from '../../local/function-runner.ts'
import type { Invoke } from '../../local/gateway/routes.ts'

let invoke: Invoke
let failures: string[]
beforeEach(() => {
  const ownFailures: string[] = []
  failures = ownFailures
  invoke = createFunctionRunner({
    functionsUrl: new URL('../support/fixtures/functions/', import.meta.url),
    timeoutMs: 9000,
    onFailure: (reason) => ownFailures.push(reason),
  })
})

const eventOf = (rawPath: string) =>
  ({ rawPath, requestContext: { requestId: `id of ${rawPath}` } }) as APIGatewayProxyEventV2

const readBody = async (path: string) => JSON.parse((await invoke('steady', eventOf(path)))?.body ?? '')

describe('a handler', () => {
  it('gets the event and a context with the remaining time', async () => {
    const body = await readBody('/x')
    expect(body).toMatchObject({ path: '/x', requestId: 'id of /x', functionName: 'latchkey-steady' })
    expect(body.remainingMs).toBeGreaterThan(0)
    expect(body.remainingMs).toBeLessThanOrEqual(9000)
  })

  it('that fails is reported with the request, and the next request is answered', async () => {
    await expect(invoke('faulty', eventOf('/y'))).rejects.toThrow('thrown on purpose')
    expect(failures).toEqual([
      expect.stringMatching(/^Request id of \/y to faulty failed\. Error: thrown on purpose\n/),
    ])
    expect(await readBody('/z')).toMatchObject({ path: '/z' })
  })

  it('that does not exist is reported as well', async () => {
    await expect(invoke('no-such-group', eventOf('/'))).rejects.toThrow()
    expect(failures).toHaveLength(1)
  })
})
