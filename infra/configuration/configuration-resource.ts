import { CustomResource, Duration, RemovalPolicy, Stack, Token } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { safeParse } from 'zod/mini'
import { entries } from '../../lib/features/configuration/document.models.ts'
import { chosenIdForm, chosenIdRule, isChosenId } from '../../lib/features/oauth/clients.models.ts'
import { type ManagedKind, settingsKinds } from '../../lib/kernel/contract/managed-kinds.ts'
import { toFieldErrors } from '../../lib/kernel/errors/field-error.ts'
import { checkOptions } from '../../lib/kernel/options/check-options.ts'
import { readResourceImages } from './resource-images.ts'
import type { ResourceProps, ResourceSecret } from './resource-props.ts'

/** The props of constructs of a kind that are no fields of its entry. */
const listOwnNames = (kind: ManagedKind): readonly string[] => [
  'auth',
  ...(isSettings(kind) ? [] : ['key']),
  ...(kind === 'product_branding' || kind === 'email_texts' ? ['product'] : []),
  'configOwner',
  'onRemove',
  'reapply',
  ...(kind === 'client' || kind === 'service_account' ? ['secretVersion'] : []),
  ...(kind === 'oidc_connection' ? ['clientSecret', 'secretVersion'] : []),
]

const isSettings = (kind: ManagedKind): boolean => settingsKinds.some((one) => one === kind)

/** The names of all props of the constructs of a kind. */
export const listPropNames = (kind: ManagedKind): readonly string[] => [
  ...listOwnNames(kind),
  ...listFieldNames(kind).map(toCamelName),
]

/** A template has no secrets. The prop `clientSecret` is where one is. */
const listFieldNames = (kind: ManagedKind): readonly string[] =>
  Object.keys(entries[kind].def.shape).filter(
    (name) => !(kind === 'oidc_connection' && name === 'client_secret'),
  )

const isChosenKey = new RegExp(`${chosenIdForm.source}|^(?:${settingsKinds.join('|')})$`)

/**
 * Creates the custom resource of an entry. The function of the service receives it as a document with one entry.
 *
 * @throws TypeError that lists the props that are unknown or undefined
 */
export const createResource = (
  scope: Construct,
  kind: ManagedKind,
  props: ResourceProps & { readonly key?: string; readonly product?: string },
  createSecret?: (removalPolicy: RemovalPolicy) => ResourceSecret | undefined,
): CustomResource => {
  checkOptions(
    props,
    Object.fromEntries(listPropNames(kind).map((name) => [name, 'any'] as const)),
    'a prop of this construct',
  )
  const { auth, key = nameSettings(kind, props.product), configOwner, onRemove, reapply } = props
  const { configFunctionArn } = auth
  if (configFunctionArn === undefined)
    throw new Error(
      'An imported service needs configFunctionArn to be configured: the output ConfigFunctionArn of its stack.',
    )
  requireRegion(scope, configFunctionArn)
  if (kind === 'product_branding' || props.product !== undefined) requireProduct(props.product)
  else if (!Token.isUnresolved(key) && !isChosenKey.test(key)) throw new Error(`key ${chosenIdRule}.`)
  if (configOwner !== undefined && !Token.isUnresolved(configOwner) && !isChosenId(configOwner))
    throw new Error(`configOwner ${chosenIdRule}.`)
  const given = readEntry(kind, props)
  if (onRemove !== undefined && onRemove !== 'keep' && onRemove !== 'delete')
    throw new TypeError('onRemove must be keep or delete.')
  const stays = onRemove === 'keep' || (onRemove === undefined && kind === 'client')
  const secret = createSecret?.(stays ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY)
  const entry =
    kind === 'oidc_connection' && secret
      ? { ...given, client_secret: { env: 'CLIENT_SECRET', version: secret.version } }
      : given
  const stack = Stack.of(scope)
  // Each service has keys of its own.
  const known = resourcesOf(stack, configFunctionArn)
  const name = `${kind}/${key}`
  if (known.some((one) => one.name === name))
    throw new Error(`The stack has two constructs with ${kind === key ? 'the settings' : 'the key'} ${key}.`)
  const resource = new CustomResource(scope, 'Resource', {
    resourceType: `Custom::Latchkey${kind.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
    serviceToken: configFunctionArn,
    // By default, CloudFormation waits an hour for a missing response.
    serviceTimeout: Duration.minutes(5),
    // The function decides, because CloudFormation tells it nothing about what it retains.
    removalPolicy: RemovalPolicy.DESTROY,
    properties: {
      Configuration: stack.toJsonString({
        schema_version: 1,
        kind,
        key,
        entry,
        ...(onRemove && { on_remove: onRemove }),
        ...(configOwner !== undefined && { owner: configOwner }),
        // The name of a nested stack ends with characters that change when it is created again.
        ...(stack.nestedStackParent && { stack: rootOf(stack).stackName }),
      }),
      ...(reapply === undefined ? {} : { Reapply: reapply }),
      ...(secret ? { Secret: secret.secretArn, SecretVersion: secret.version } : {}),
    },
  })
  if (secret?.policy) resource.node.addDependency(secret.policy)
  // An entry refers to earlier ones by key, which CloudFormation cannot see.
  const previous = known.at(-1)
  if (previous) resource.node.addDependency(previous.resource)
  known.push({ name, resource })
  return resource
}

/** The key of settings, which are once in a service or those of a product. */
const nameSettings = (kind: ManagedKind, product: string | undefined): string => {
  if (kind !== 'email_texts') return product ?? kind
  return product === undefined ? 'service' : `product:${product}`
}

/** Only the service knows the names of its products. @throws Error if it can be none */
const requireProduct = (name: unknown): void => {
  if (typeof name !== 'string' || name === '' || name.includes('/'))
    throw new Error('product must be the name of a product in the setting linkUrl.')
}

/** CloudFormation calls functions of its own region only, in any account. */
const requireRegion = (scope: Construct, functionArn: string): void => {
  const { region } = Stack.of(scope)
  if (Token.isUnresolved(functionArn) || Token.isUnresolved(region)) return
  const [, , , where] = functionArn.split(':')
  if (where !== region)
    throw new Error(
      `configFunctionArn is in ${where}, but CloudFormation calls it from ${region}. Put this construct into a stack in ${where}.`,
    )
}

const rootOf = (stack: Stack): Stack => (stack.nestedStackParent ? rootOf(stack.nestedStackParent) : stack)

interface Known {
  readonly name: string
  readonly resource: CustomResource
}

const known = new WeakMap<Stack, Map<string, Known[]>>()

const resourcesOf = (stack: Stack, functionArn: string): Known[] => {
  const services = known.get(stack) ?? new Map<string, Known[]>()
  const list = services.get(functionArn) ?? []
  known.set(stack, services.set(functionArn, list))
  return list
}

/** @throws Error that lists everything that is wrong, as far as it is known before the deployment */
const readEntry = (kind: ManagedKind, props: object): object => {
  const own = listOwnNames(kind)
  const given = Object.entries(props).filter(([name]) => !own.includes(name))
  const entry = readResourceImages(toWire(Object.fromEntries(given)) as object)
  const result = hasToken(entry) ? undefined : safeParse(entries[kind], entry)
  if (result?.success === false)
    throw new Error(
      toFieldErrors(result.error, entry, 'The construct')
        .map(({ field, message }) => `${field.split('.').map(toCamelName).join('.')} ${message}.`)
        .join('\n'),
    )
  return entry
}

const toCamelName = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const toWire = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toWire)
  if (typeof value !== 'object' || value === null || Token.isUnresolved(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      toWire(part),
    ]),
  )
}

/** Whether CloudFormation fills in a part of it, so that its form is not known yet. */
const hasToken = (value: unknown): boolean =>
  Token.isUnresolved(value) ||
  (typeof value === 'object' && value !== null && Object.values(value).some(hasToken))
