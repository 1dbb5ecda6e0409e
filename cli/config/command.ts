import { resolve } from 'node:path'
import { CommandFailure } from '../../local/command-failure.ts'
import { type Help, readCommand } from '../program.ts'

export type ConfigCommand =
  | Help
  | { readonly name: 'validate'; readonly file: string }
  | ({ readonly name: 'diff'; readonly owner: string | undefined } & Target)
  | ({
      readonly name: 'apply'
      readonly isConfirmed: boolean
      /** The file with client IDs and secrets. */
      readonly outputs: string | undefined
      /** The entries that get a new secret, such as `clients.web`. */
      readonly renew: readonly string[]
      /** Whether an entry without its secret in the outputs fails the command. */
      readonly requiresSecrets: boolean
    } & Target)
  | {
      readonly name: 'export'
      readonly file: string | undefined
      readonly owner: string
      readonly function: string | undefined
    }
  | {
      readonly name: 'transfer'
      readonly from: string
      readonly to: string
      readonly isDryRun: boolean
      readonly isConfirmed: boolean
      readonly function: string | undefined
    }

interface Target {
  readonly file: string
  readonly prunes: boolean
  /** Whether a plan that gives rights, or makes a policy weaker, ends the command. */
  readonly refusesRights: boolean
  /** The URL of the function of a deployed service. Undefined for local mode. */
  readonly function: string | undefined
}

/** The exit codes of these commands, for pipelines: 2 says that there is something to apply, and 3 that it gives rights or makes a policy weaker. */
export const configExitCodes = {
  done: 0,
  failed: 1,
  wouldChange: 2,
  givesRights: 3,
  interrupted: 130,
} as const

const functionOption = {
  value: 'URL',
  text: 'the function of a deployed service, instead of local mode: the output ConfigUrl of its stack, or ConfigAliasArn',
} as const
const environment = {
  AWS_PROFILE: 'AWS credentials for --function, or others that the AWS SDK finds',
  DATA_DIR: 'the data of local mode, instead of .local',
} as const
const prune = {
  text: 'also deletes what the owner of the file manages and the file no longer has',
} as const
const refuseRights = {
  text: 'ends with 3 if somebody or something could do more afterwards, and changes nothing then. Pipelines can ask a person first',
} as const
const fileText =
  'FILE is YAML or JSON, or a JavaScript module that exports the same as default. It has a schema_version, an owner, and what the owner manages: apis, groups, user_templates, clients, saml_providers and oidc_connections by keys, user_attributes, policies, branding, and products by their names.'

export const config = {
  text: 'Keeps what is configured in a service equal to a file.',
  commands: {
    validate: {
      argument: 'FILE',
      text: `Checks the form of a file, without a service.

${fileText}`,
      exitCodes: '0 valid, 1 not valid',
    },
    diff: {
      argument: 'FILE',
      text: `Shows what apply would change, and writes nothing.

${fileText}

FILE can also be the template of a stack that cdk synth wrote, such as cdk.out/Films.template.json. It shows what cdk deploy would change then.`,
      options: {
        owner: { value: 'NAME', text: 'the owner that the stack is, if it is not the name of the stack' },
        prune,
        'refuse-rights': refuseRights,
        function: functionOption,
      },
      environment,
      exitCodes:
        '0 equal, 1 failed, 2 apply would change something, 3 with --refuse-rights: it would give rights or make a policy weaker',
    },
    apply: {
      argument: 'FILE',
      text: `Changes the service so that it has what the file says.

${fileText}

It shows the plan and asks first. Before it writes anything, it tries out every change. Things that the file does not have stay as they are. After an interruption, run it again.`,
      options: {
        yes: { text: 'does not ask' },
        outputs: {
          value: 'FILE',
          text: 'where to write the client IDs, and the secrets of new clients. An existing file keeps its other secrets. Only you can read it',
        },
        renew: {
          value: 'ENTRIES',
          text: 'gives these entries a new secret, which goes to the outputs: clients.web,service_accounts.films. The one before works for a day',
        },
        'require-secrets': {
          text: 'fails if the outputs do not have the secret of an entry. They have those that this command made',
        },
        prune,
        'refuse-rights': refuseRights,
        function: functionOption,
      },
      environment,
      exitCodes: '0 applied, 1 failed, 3 refused because of --refuse-rights, 130 interrupted',
    },
    export: {
      argument: '[FILE]',
      text: `Writes what a service has as YAML that apply can read.

Images are written beside FILE. Without FILE, it writes to the terminal, with images in base64. The file has no secrets. To manage what is there from the file, add adopt: true to each entry.`,
      options: {
        owner: { value: 'NAME', text: 'the owner that the file names', isRequired: true },
        function: functionOption,
      },
      environment,
      exitCodes: '0 done, 1 failed, 130 interrupted',
    },
    transfer: {
      text: `Gives all that an owner manages to another owner.

Use it after the owner of a file or the name of a stack has changed. An owner of a product begins with product/. The keys of what the owner deleted move as well, and can be used again. It shows what moves and asks first. After an interruption, run it again.`,
      options: {
        from: { value: 'NAME', text: 'the owner that has it', isRequired: true },
        to: { value: 'NAME', text: 'the owner that gets it', isRequired: true },
        'dry-run': { text: 'shows what would move, and writes nothing' },
        yes: { text: 'does not ask' },
        function: functionOption,
      },
      environment,
      exitCodes: '0 moved, or nothing to move, 1 failed, 130 interrupted',
    },
  },
} as const

/** @throws CommandFailure with one sentence about an invalid argument */
export const readConfigArguments = (args: readonly string[]): ConfigCommand => {
  const command = readCommand('config', config, args)
  if (command.name === 'help') return command
  if (command.name === 'validate') return { name: 'validate', file: resolve(command.argument) }
  const { function: address } = command.values
  if (command.name === 'export') {
    const file = command.argument === undefined ? undefined : resolve(command.argument)
    return { name: 'export', file, owner: command.values.owner, function: address }
  }
  if (command.name === 'transfer') {
    const { from, to, yes, 'dry-run': isDryRun } = command.values
    return { name: 'transfer', from, to, isDryRun, isConfirmed: yes, function: address }
  }
  const target = {
    file: resolve(command.argument),
    prunes: command.values.prune,
    refusesRights: command.values['refuse-rights'],
    function: address,
  }
  if (command.name === 'diff') return { name: 'diff', owner: command.values.owner, ...target }
  const { yes, outputs, renew, 'require-secrets': requiresSecrets } = command.values
  if (outputs === undefined && (renew !== undefined || requiresSecrets))
    throw new CommandFailure(
      `apply needs --outputs FILE with --${renew === undefined ? 'require-secrets' : 'renew'}.`,
    )
  return {
    ...{ name: 'apply', isConfirmed: yes, requiresSecrets, ...target },
    outputs: outputs === undefined ? undefined : resolve(outputs),
    renew: renew?.split(',') ?? [],
  }
}
