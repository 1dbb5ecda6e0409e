import { vi } from 'vitest'
import { createServices } from '../../lib/services.ts'
import { type Deployment, deploy } from '../infra/deployment.ts'
import { resourcesOf, shareSynthesis } from '../infra/synthesis.ts'
import { clientOf } from '../support/client.ts'
import { watchAnswers } from '../support/declared-answers.ts'
import { openMailbox } from '../support/mailbox.ts'
import { makePatient } from '../support/patient-client.ts'
import type { ServiceOptions, TestService } from '../support/service.ts'
import { assertDeployable } from './deployable-settings.ts'
import { recordUsage } from './usage.ts'

export interface DeployedService extends TestService {
  readonly deployment: Deployment
}

/** The sign-in function has all permissions that tests need to read and write secrets. */
const isSessions = (id: string): boolean => id.startsWith('AuthSessionsFunction')

/**
 * Starts what the synthesised template would deploy, with a new table in the engine of this run. Functions run in their
 * own processes, with the time of the test.
 */
export const startDeployedService = async (
  settings: Readonly<Record<string, string>>,
  {
    sendsMail = true,
    hostname = '127.0.0.1',
    createsSigningKeys = true,
    tableHooks,
    stack = 'service',
  }: ServiceOptions,
): Promise<DeployedService> => {
  assertDeployable(settings)
  const synthesis = await shareSynthesis(stack)
  const mailbox = await openMailbox()
  const lines: string[] = []
  const answers = watchAnswers({ checksBodies: true })
  const [[signingKeysId = ''] = []] = resourcesOf(synthesis.template, 'AWS::Lambda::Function').filter(
    ([id]) => id.startsWith('AuthSigningKeysFunction'),
  )
  let signingKeys: Promise<unknown> | undefined
  const urlOf = (url: string) => url.replace('127.0.0.1', hostname)
  const deployment = await deploy(synthesis, process.env['DYNAMODB_ENDPOINT'] ?? '', {
    testKeyId: process.env['AWS_ACCESS_KEY_ID'] ?? '',
    mailUrl: mailbox.url,
    deliversStream: sendsMail,
    tableHooks,
    settingsFor: (url) => ({
      PUBLIC_URL: urlOf(url),
      // The lowest bcrypt cost, to keep tests fast.
      PASSWORD_COST: '4',
      ...settings,
    }),
    onRequest: async (target, invoke) => {
      if (!createsSigningKeys || !target.startsWith('AuthOidcFunction')) return
      signingKeys ??= invoke(signingKeysId, {})
      await signingKeys
    },
    onLog: (line) => lines.push(line),
    readClock: () => ({
      now: Date.now(),
      isFrozen: vi.isFakeTimers() || vi.getMockedSystemTime() !== null,
    }),
    onAnswer: answers.watch,
  })
  const url = urlOf(deployment.url)
  const [[sessionsId = ''] = []] = resourcesOf(synthesis.template, 'AWS::Lambda::Function').filter(([id]) =>
    isSessions(id),
  )
  const { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, ...environment } =
    deployment.environmentOf(sessionsId)
  Object.assign(process.env, environment)
  return {
    deployment,
    url,
    client: makePatient(clientOf(url)),
    services: createServices(process.env),
    tableName: deployment.tableName,
    log: lines,
    mailbox,
    informClients: async () => {
      if (sendsMail) await deployment.stream.whenIdle()
      signingKeys ??= deployment.functions.get(signingKeysId)?.invoke({}) ?? Promise.resolve()
      await signingKeys
      await deployment.sources.fireSchedule('AuthBackchannelLogout')
    },
    deleteDueAccounts: () => deployment.sources.fireSchedule('AuthAccountDeletion'),
    invokeConfig: async (event, invokedFunctionArn, name = 'config') => {
      const prefix = name === 'config' ? 'AuthConfigFunction' : 'AuthConfigProductFunction'
      const [, config] = [...deployment.functions].find(([id]) => id.startsWith(prefix)) ?? []
      return config?.invoke(event, invokedFunctionArn)
    },
    close: async () => {
      if (sendsMail) await deployment.stream.whenIdle()
      await deployment.close()
      await mailbox.close()
      // The coverage is that of the template of the service.
      if (stack === 'service') recordUsage(deployment.usage(), deployment.tableName)
      answers.verify()
      const denials = deployment.takeDenials()
      if (denials.length > 0) throw new Error(`denied calls: ${[...new Set(denials)].join(', ')}`)
    },
  }
}
