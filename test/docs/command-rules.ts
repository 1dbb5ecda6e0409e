import { readFileSync } from 'node:fs'
import { contextKeys } from '../../infra/settings/read-settings.ts'
import { localVariables } from '../../local/settings.ts'

/*
 * Commands that need an AWS account or would install packages can't run in a test. Each has a rule here that checks
 * what can be known without running it. A command without a rule fails the test.
 */

const scripts: Readonly<Record<string, string>> = JSON.parse(readFileSync('package.json', 'utf8')).scripts
const lifecycleCommands = ['start', 'test', 'pack', 'version', 'whoami', 'deprecate']

/** Calls of the AWS CLI that the documentation may show. */
const awsCalls = [
  'acm describe-certificate',
  'events enable-rule',
  'events list-rule-names-by-target',
  'backup list-recovery-points-by-backup-vault',
  'backup start-restore-job',
  'backup update-region-settings',
  'cloudformation continue-update-rollback',
  'cloudformation delete-stack',
  'cloudformation describe-stack-events',
  'cloudformation describe-stack-resources',
  'cloudformation update-termination-protection',
  'cloudwatch describe-alarms',
  'dynamodb delete-table',
  'dynamodb update-table',
  'kms cancel-key-deletion',
  'kms enable-key',
  'kms schedule-key-deletion',
  'lambda get-account-settings',
  'logs describe-log-groups',
  'ses get-account-sending-enabled',
  'sesv2 get-account',
  'sqs purge-queue',
  'sqs receive-message',
  'dynamodb delete-item',
  'dynamodb restore-table-to-point-in-time',
  'lambda invoke',
  'logs tail',
  'secretsmanager get-secret-value',
]

const requireKnown = (what: string, name: string, known: readonly string[]): void => {
  if (!known.includes(name)) throw new Error(`unknown ${what}: ${name}`)
}

const requireScript = (name: string): void => requireKnown('npm script', name, Object.keys(scripts))

const checkContext = (command: string): void => {
  for (const [, key = ''] of command.matchAll(/-c (\w+)=/g)) requireKnown('context key', key, contextKeys)
}

const checkAws = (command: string): void =>
  requireKnown('call of the AWS CLI', command.split(/\s+/).slice(1, 3).join(' '), awsCalls)

const checkSettings = (command: string): void => {
  for (const [, name = ''] of command.matchAll(/([A-Z_]+)=\S/g))
    requireKnown('setting of local mode', name, localVariables)
}

const rules: readonly (readonly [RegExp, (command: string, match: readonly string[]) => void])[] = [
  [/^npm ci$/, () => {}],
  // It runs the script `version`, which test/docs/changelog.test.ts tries.
  [/^npm version (?:major|minor|patch)$/, () => requireScript('version')],
  [/^(?:[A-Z_]+=\S+ )+npm start$/, checkSettings],
  [/^npm (\w+)$/, (_, [, name = '']) => requireKnown('npm command', name, lifecycleCommands)],
  [
    /^npm run ([\w:-]+)(?: -- .*)?$/s,
    (command, [, name = '']) => {
      requireScript(name)
      if (name === 'deploy') checkContext(command)
    },
  ],
  [/^npx cdk (?:bootstrap|diff|destroy)\b/, checkContext],
  [/^npm pack(?: \.\/dist\/(?:client|middleware|construct|latchkey))+ --pack-destination \/tmp$/, () => {}],
  [/^npm publish \.\/dist\/(?:client|middleware|construct|latchkey)$/, () => {}],
  [/^npm install(?: --save-dev)?(?: (?:\S*latchkey\S*|aws-cdk-lib|constructs|express))+$/, () => {}],
  // The test of the package runs it.
  [/^npx latchkey start$/, () => {}],
  [/^npx vitest run ([\w./-]+)$/, (_, [, path = '']) => void readFileSync(path)],
  [/^aws /, checkAws],
]

/** Applies the rule of a command that is not run. @throws Error if it breaks its rule, or if no rule covers it. */
export const checkCommand = (command: string): void => {
  // A remark at the end of the line is no part of the command.
  for (const part of command.replaceAll(/\s+#.*$/gm, '').split(' && ')) {
    const text = part.trim()
    const rule = rules.find(([pattern]) => pattern.test(text))
    if (!rule) throw new Error(`no rule covers the command: ${text}`)
    rule[1](text, rule[0].exec(text) ?? [])
  }
}
