import { actionOf } from '../infra/dynamodb-proxy.ts'
import { type StubAnswer, type StubRequest, startStub } from '../infra/stub-server.ts'
import type { JsonValue } from './client.ts'

/*
 * Plays AWS Secrets Manager with what its API reference says of versions and labels, as read in November 2026. A version without a label
 * can be deleted at any time there. Here it is deleted at once.
 */

interface Version {
  readonly id: string
  readonly value: string
  readonly labels: Set<string>
}

/** Labels of all versions of a secret together. */
const mostLabels = 20

export type SecretFailure =
  /** The call fails and does nothing. */
  | 'before'
  /** The call is carried out, and the caller learns of a failure. */
  | 'after'

class Refusal extends Error {
  constructor(name: string, message: string) {
    super(message)
    this.name = name
  }
}

const refuse = (name: string, message: string): never => {
  throw new Refusal(name, message)
}

/** Starts it. `judge` refuses calls that no policy allows, with an answer. */
export const startSecretsManager = async (
  judge: (request: StubRequest, action: string, input: JsonValue) => StubAnswer | undefined = () => undefined,
) => {
  const secrets = new Map<string, Version[]>()
  const calls: string[] = []
  let failing: { readonly call: number; readonly how: SecretFailure } | undefined
  const stub = await startStub((request) => {
    const action = actionOf(request)
    const input: JsonValue = JSON.parse(request.body)
    const denied = judge(request, action, input)
    if (denied) return denied
    calls.push(action)
    const failure = failing?.call === calls.length ? failing.how : undefined
    const failed = toAnswer(new Refusal('InvalidRequestException', 'It failed.'))
    if (failure === 'before') return failed
    const answer = answerTo(secrets, action, input)
    return failure === 'after' ? failed : answer
  })
  return {
    ...stub,
    /** The names of all calls that were allowed. */
    calls,
    /** Creates a secret, which is empty without a value. */
    create: (arn: string, value?: string): void => {
      secrets.set(
        arn,
        value === undefined ? [] : [{ id: 'first-version', value, labels: new Set(['AWSCURRENT']) }],
      )
    },
    /** The values of a secret by their labels. */
    read: (arn: string): Readonly<Record<string, string>> =>
      Object.fromEntries(
        (secrets.get(arn) ?? []).flatMap(({ value, labels }) => [...labels].map((label) => [label, value])),
      ),
    /** Fails one of the next calls, counted from 1. */
    fail: (call: number, how: SecretFailure): void => {
      failing = { call: calls.length + call, how }
    },
  }
}

export type StubSecretsManager = Awaited<ReturnType<typeof startSecretsManager>>

const toAnswer = ({ name, message }: Refusal): StubAnswer => ({
  status: 400,
  body: JSON.stringify({ __type: name, message }),
})

const answerTo = (secrets: Map<string, Version[]>, action: string, input: JsonValue): StubAnswer => {
  try {
    return {
      status: 200,
      body: JSON.stringify({ ARN: input.SecretId, ...carryOut(secrets, action, input) }),
    }
  } catch (error) {
    if (error instanceof Refusal) return toAnswer(error)
    throw error
  }
}

const carryOut = (secrets: Map<string, Version[]>, action: string, input: JsonValue): object => {
  const versions =
    secrets.get(input.SecretId) ??
    refuse('ResourceNotFoundException', "Secrets Manager can't find the specified secret.")
  const answer = readAction(action)(versions, input)
  const kept = versions.filter(({ labels }) => labels.size > 0)
  secrets.set(input.SecretId, kept)
  return answer
}

type Action = (versions: Version[], input: JsonValue) => object

const readAction = (name: string): Action =>
  actions.get(name) ?? refuse('UnknownOperationException', `${name} is not played.`)

const holderOf = (versions: readonly Version[], label: string): Version | undefined =>
  versions.find(({ labels }) => labels.has(label))

/** Moves a label. `AWSPREVIOUS` follows `AWSCURRENT`. */
const move = (versions: readonly Version[], label: string, to: Version): void => {
  const from = holderOf(versions, label)
  if (from === to) return
  from?.labels.delete(label)
  to.labels.add(label)
  if (label === 'AWSCURRENT' && from) move(versions, 'AWSPREVIOUS', from)
}

const actions = new Map<string, Action>([
  [
    'GetSecretValue',
    (versions, { VersionId, VersionStage = 'AWSCURRENT' }) => {
      const found =
        (VersionId === undefined
          ? holderOf(versions, VersionStage)
          : versions.find(({ id }) => id === VersionId)) ??
        refuse(
          'ResourceNotFoundException',
          `Secrets Manager can't find the specified secret value for ${VersionId ?? VersionStage}.`,
        )
      return { SecretString: found.value, VersionId: found.id, VersionStages: [...found.labels] }
    },
  ],
  [
    'PutSecretValue',
    (versions, { ClientRequestToken: id, SecretString: value, VersionStages = ['AWSCURRENT'] }) => {
      if (typeof id !== 'string' || id.length < 32 || id.length > 64)
        refuse('InvalidParameterException', 'ClientRequestToken has 32 to 64 characters.')
      const known = versions.find((version) => version.id === id)
      if (known)
        return known.value === value
          ? { VersionId: id }
          : refuse('ResourceExistsException', 'A version with this ID has another value.')
      const added: Version = { id, value, labels: new Set() }
      // The first version is the current one, also if the caller names other labels.
      for (const label of versions.length === 0 ? ['AWSCURRENT', ...VersionStages] : VersionStages)
        move(versions, label, added)
      if ([...versions, added].flatMap(({ labels }) => [...labels]).length > mostLabels)
        refuse('LimitExceededException', 'The secret has too many labels.')
      versions.push(added)
      return { VersionId: id }
    },
  ],
  [
    'UpdateSecretVersionStage',
    (versions, { VersionStage: label, MoveToVersionId: to, RemoveFromVersionId: from }) => {
      const holder = holderOf(versions, label)
      if (from !== undefined && holder?.id !== from)
        refuse('InvalidParameterException', 'The version does not have the label.')
      if (to === undefined) {
        if (label === 'AWSCURRENT') refuse('InvalidParameterException', 'AWSCURRENT can only be moved.')
        holder?.labels.delete(label)
        return {}
      }
      if (holder && holder.id !== to && from === undefined)
        refuse('InvalidParameterException', 'Another version has the label. Name it.')
      const target = versions.find(({ id }) => id === to)
      move(
        versions,
        label,
        target ?? refuse('ResourceNotFoundException', 'The secret does not have the version.'),
      )
      return {}
    },
  ],
  [
    'DescribeSecret',
    (versions) => ({
      VersionIdsToStages: Object.fromEntries(versions.map(({ id, labels }) => [id, [...labels]])),
    }),
  ],
])
