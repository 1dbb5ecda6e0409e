import { readFileSync } from 'node:fs'
import { readAuditArguments } from '../../cli/audit/command.ts'
import { readConfigArguments } from '../../cli/config/command.ts'
import { readInitArguments } from '../../cli/init/command.ts'
import { readLeaksArguments } from '../../cli/leaks/command.ts'
import { readLeftoversArguments } from '../../cli/leftovers/command.ts'
import { readMigrateArguments } from '../../cli/migrate/command.ts'
import { readOrganizationsArguments } from '../../cli/organizations/command.ts'
import { readSignInArguments } from '../../cli/sign-in/command.ts'
import { readTableArguments } from '../../cli/table/command.ts'
import { readUsersArguments } from '../../cli/users/command.ts'
import { readVerifyArguments } from '../../cli/verify/command.ts'
import { contextKeys } from '../../infra/settings/read-settings.ts'
import { localVariables } from '../../local/settings.ts'
import { wordsOf } from './shell-commands.ts'

/*
 * Commands that need an AWS account or would install packages can't run in a test. Each has a rule here that checks
 * what can be known without running it. A command without a rule fails the test.
 */

const scripts: Readonly<Record<string, string>> = JSON.parse(readFileSync('package.json', 'utf8')).scripts
const lifecycleCommands = ['start', 'test', 'pack', 'version', 'login', 'deprecate']

/** Calls of the AWS CLI that the documentation may show, with the options that it may use of each. */
const awsCalls: ReadonlyMap<string, readonly string[]> = new Map([
  ['acm describe-certificate', ['certificate-arn', 'query']],
  ['backup list-recovery-points-by-backup-vault', ['region', 'backup-vault-name', 'query']],
  ['backup start-restore-job', ['region', 'resource-type', 'recovery-point-arn', 'iam-role-arn', 'metadata']],
  [
    'backup update-region-settings',
    ['region', 'resource-type-opt-in-preference', 'resource-type-management-preference'],
  ],
  ['cloudformation continue-update-rollback', ['stack-name', 'resources-to-skip']],
  ['cloudformation delete-stack', ['stack-name', 'region']],
  ['cloudformation describe-stack-events', ['stack-name', 'query']],
  ['cloudformation describe-stack-resources', ['stack-name', 'query']],
  ['cloudformation update-termination-protection', ['stack-name', 'no-enable-termination-protection']],
  ['cloudwatch describe-alarms', ['state-value', 'query']],
  ['dynamodb delete-table', ['table-name']],
  [
    'dynamodb restore-table-to-point-in-time',
    ['source-table-name', 'target-table-name', 'restore-date-time'],
  ],
  ['dynamodb update-table', ['table-name', 'no-deletion-protection-enabled']],
  ['events enable-rule', ['name']],
  ['events list-rule-names-by-target', ['target-arn', 'query']],
  ['kms cancel-key-deletion', ['key-id']],
  ['kms enable-key', ['key-id']],
  ['kms schedule-key-deletion', ['key-id', 'pending-window-in-days']],
  ['lambda get-account-settings', ['query']],
  ['s3 sync', []],
  ['lambda invoke', ['function-name', 'cli-binary-format', 'payload']],
  ['logs tail', ['follow']],
  ['secretsmanager get-secret-value', ['secret-id', 'query', 'output']],
  ['ses get-account-sending-enabled', []],
  ['sesv2 get-account', ['query']],
  ['sqs purge-queue', ['queue-url']],
  ['sqs receive-message', ['queue-url']],
])

/** The programs of the command line, which read their arguments as they do for operators. */
type ReadArguments = (args: readonly string[]) => unknown
const readers = new Map<string, ReadArguments>([
  ['config', readConfigArguments],
  ['users', readUsersArguments],
  ['organizations', readOrganizationsArguments],
  ['migrate', readMigrateArguments],
  ['audit', readAuditArguments],
  ['leaks', readLeaksArguments],
  ['table', readTableArguments],
  ['verify', (args) => readVerifyArguments(args, {})],
  ['init', readInitArguments],
  ['leftovers', readLeftoversArguments],
  ['login', (args) => readSignInArguments('login', args, {})],
])

const requireKnown = (what: string, name: string, known: readonly string[]): void => {
  if (!known.includes(name)) throw new Error(`unknown ${what}: ${name}`)
}

const requireScript = (name: string): void => requireKnown('npm script', name, Object.keys(scripts))

const checkContext = (command: string): void => {
  for (const [, key = ''] of command.matchAll(/-c (\w+)=/g)) requireKnown('context key', key, contextKeys)
}

const checkAws = (command: string): void => {
  const [, service = '', call = '', ...args] = wordsOf(command)
  const options = awsCalls.get(`${service} ${call}`)
  if (!options) throw new Error(`unknown call of the AWS CLI: ${service} ${call}`)
  for (const arg of args)
    if (arg.startsWith('--')) requireKnown(`option of ${service} ${call}`, arg.slice(2), options)
}

/** @throws CommandFailure with the sentence that an operator would read */
const checkArguments = (command: string): void => {
  const [name = '', ...args] = wordsOf(command.slice(command.indexOf('latchkey '))).slice(1)
  const read = readers.get(name)
  if (!read) throw new Error(`unknown command of latchkey: ${name}`)
  // The name of a command alone is a mention.
  if (args.length > 0) read(args)
}

const checkSettings = (command: string): void => {
  for (const [, name = ''] of command.matchAll(/([A-Z_]+)=\S/g))
    requireKnown('setting of local mode', name, localVariables)
}

const vitestProjects = [...readFileSync('vitest.config.ts', 'utf8').matchAll(/\bname: '([\w-]+)'/g)].flatMap(
  ([, name]) => name ?? [],
)

const rules: readonly (readonly [RegExp, (command: string, match: readonly string[]) => void])[] = [
  [/^npm ci$/, () => {}],
  // It runs the script `version`, which test/releases/changelog.test.ts tries.
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
  [/^npx cdk deploy --app 'node app\.mjs'$/, () => {}],
  [/^npm install(?: --save-dev)?(?: (?:\S*latchkey\S*|aws-cdk-lib|constructs|express))+$/, () => {}],
  // The test of the package runs it.
  [/^npm exec --no -- latchkey start$/, () => {}],
  [
    /^(?:LATCHKEY_TOKEN=\$(?:SESSION|TOKEN) |AWS_REGION=[a-z]+-[a-z]+-\d )?npm exec --no -- latchkey [a-z]/,
    checkArguments,
  ],
  [
    /^npx vitest run (?:--project ([\w-]+) )?([\w./-]+)(?: -u)?$/,
    (_, [, project, path = '']) => {
      readFileSync(path)
      if (project !== undefined) requireKnown('project of vitest', project, vitestProjects)
    },
  ],
  // It needs a package of Python that CI does not have.
  [/^python3 ([\w./-]+)$/, (_, [, path = '']) => void readFileSync(path)],
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
