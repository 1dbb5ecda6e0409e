import { resolve } from 'node:path'
import { externalSourceForm, externalSourceRule } from '../../lib/kernel/contract/text-rules.ts'
import { CommandFailure } from '../../local/command-failure.ts'
import { type Help, importExitCodes, readCommand, tableOption, tableVariables } from '../program.ts'
import { type SystemName, systemNames } from './convert-record.ts'

const formats = [...systemNames, 'groups'] as const

export type OrganizationsCommand =
  | Help
  | {
      readonly name: 'import'
      readonly file: string
      readonly report: string
      readonly isDryRun: boolean
      readonly table: string | undefined
      /** What the file is the export of. Undefined for lines of this import. */
      readonly from: SystemName | 'groups' | undefined
      /** The name of the source that users have with their ID in the other system. */
      readonly source: string
      /** The keys of roles for the names that the other system has. */
      readonly roles: ReadonlyMap<string, string>
    }

export const organizations = {
  text: 'Imports organizations and their members.',
  commands: {
    import: {
      argument: 'FILE',
      text: `Imports organizations and memberships from JSON Lines.

FILE (.jsonl, .ndjson) has one organization or one membership in each line. A membership names an organization of an earlier line or of the service, and a user of the service.

docs/import-export.md lists all fields.

With --from, FILE is what another system exported, as JSON (.json) or JSON Lines, or lists groups of this service: docs/migrate/moving-organizations.md. Users are found by their ID there, which their import kept, or by their confirmed address.

Invalid lines are skipped and listed in the report with their line numbers and reasons. Rerunning with the same file resumes an interrupted import.`,
      options: {
        from: { value: 'SYSTEM', text: 'what wrote FILE', choices: formats },
        source: { value: 'NAME', text: 'the source of the IDs of users, instead of the name of the system' },
        roles: {
          value: 'THERE=HERE,...',
          text: 'the key of the role here for each role of the other system',
        },
        'dry-run': { text: 'checks every line, also against the table, and writes nothing' },
        report: { value: 'FILE', text: 'the report of invalid lines, instead of FILE.refused.jsonl' },
        table: tableOption,
      },
      environment: tableVariables,
      exitCodes: importExitCodes,
    },
  },
} as const

/** @throws CommandFailure with one sentence about an invalid argument. */
export const readOrganizationsArguments = (args: readonly string[]): OrganizationsCommand => {
  const command = readCommand('organizations', organizations, args)
  if (command.name === 'help') return command
  const { argument, values } = command
  const file = resolve(argument)
  const report = resolve(values.report ?? `${file}.refused.jsonl`)
  const { from, source = from ?? '' } = values
  if (from === undefined && (values.source !== undefined || values.roles !== undefined))
    throw new CommandFailure('--source and --roles need --from.')
  if (values.source !== undefined && !externalSourceForm.test(source))
    throw new CommandFailure(`--source ${externalSourceRule}.`)
  const roles = readRoles(values.roles)
  return {
    name: 'import',
    file,
    table: values.table,
    report,
    isDryRun: values['dry-run'],
    from,
    source,
    roles,
  }
}

/** Reads `org:admin=owner,Editors=editor`. @throws CommandFailure */
const readRoles = (text = ''): ReadonlyMap<string, string> =>
  new Map(
    text
      .split(',')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const at = pair.lastIndexOf('=')
        const [there, here] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
        if (at < 1 || here === '') throw new CommandFailure('--roles needs THERE=HERE for each role.')
        return [there, here] as const
      }),
  )
