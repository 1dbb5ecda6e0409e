import { describe, expect, it } from 'vitest'
import { shareSynthesis, type Template } from './synthesis.ts'

/*
 * The resources that hold what cannot be created again. CloudFormation recognizes a resource by its logical ID. After a
 * construct is renamed, a deployment creates an empty one, and deletes or abandons the one that the service used.
 *
 * Never change a line to make this test pass. Keep the ID with `overrideLogicalId`, or describe in docs/operate.md how
 * operators move the content. Add a line for a new resource.
 */

const { template: standard } = await shareSynthesis('default')
const { template: full } = await shareSynthesis('full')

/** Type, logical ID, and what happens to the resource on deletion / replacement. Then what another ID would do. */
const golden: Readonly<Record<string, string>> = {
  'DynamoDB::Table AuthTable60C69E80 Retain/Retain':
    'The service would start with an empty table. All users, sessions and audit events would seem to be lost.',
  'KMS::Key AuthKey7D5A6AC9 Retain/Retain':
    'The table and the secret would be encrypted again with a new key. Waiting messages of queues would be unreadable.',
  'KMS::Key AuthVaultKey5EBF8D42 RetainExceptOnCreate/Retain':
    'No second factor, service provider key or value of an access link could be decrypted. Users could not sign in.',
  'KMS::Key AuthAuditKeyA70C4941 RetainExceptOnCreate/Retain':
    'The verification would report all earlier checkpoints as changed.',
  'SecretsManager::Secret AuthAdminPassword0E96A98E RetainExceptOnCreate/Retain':
    'The secret would contain a password that the administrator never had.',
  'ApiGatewayV2::Api AuthApi1C5119F2 Delete/Delete':
    'The URL of services without a domain would change. Clients, SAML partners and passkeys know the earlier one.',
  'Events::EventBus AuthAuditBus406FDF9D Delete/Delete':
    'The rules that operators added to the bus would keep the bus from being deleted, or would be lost with it.',
  'Events::EventBus AuthJobBus890501A3 Delete/Delete':
    'The deployment would replace the rule of the bus. Until then, logout jobs would wait for the next scheduled run.',
  'SQS::Queue AuthUncarriedAuditRecords18304466 Delete/Delete':
    'Messages about audit events that were not forwarded would be lost.',
  'SQS::Queue AuthUndeliveredMail82A4CEFB Delete/Delete':
    'Messages about emails that could not be sent would be lost.',
  'Logs::LogGroup AuthAuditChainLog1BAA65B9 RetainExceptOnCreate/Retain':
    'The copies of the audit checkpoints would be lost. They prove that no one replaced all chains in the table.',
  'Logs::LogGroup AuthApiAccessLogF34603FE Delete/Delete':
    'The access log of the last months would be lost, which is needed to investigate an attack.',
}

/** These exist only with a sender of emails, an address for alarms, a domain, or backups. */
const goldenWithSettings: Readonly<Record<string, string>> = {
  'S3::Bucket AuthAuditArchive8BB5B5FD RetainExceptOnCreate/Retain':
    'The archive of the audit log would go on in another bucket, and could not be verified as a whole.',
  'Backup::BackupVault AuthBackupVaultA63710E8 RetainExceptOnCreate/Retain':
    'New backups would go to another vault. Operators would look for earlier ones in the wrong place.',
  'SQS::Queue AuthUnhandledMailEventsBCCEB33E Delete/Delete':
    'Messages about bounces and complaints that were not recorded would be lost.',
  'SNS::Topic AuthAlarms14DCAB0D Delete/Delete':
    'The receiver of alarms would have to confirm the subscription again, and would get none until then.',
}

const statefulTypes = [
  'ApiGatewayV2::Api',
  'Backup::BackupVault',
  'DynamoDB::Table',
  'Events::EventBus',
  'KMS::Key',
  'S3::Bucket',
  'SecretsManager::Secret',
  'SQS::Queue',
]
/** Others of their type can be created again. */
const statefulIds = /^Auth(Alarms|AuditChainLog|ApiAccessLog)[\dA-F]{8}$/

const listStateful = ({ Resources }: Template): readonly string[] =>
  Object.entries(Resources).flatMap(([id, { Type, DeletionPolicy, UpdateReplacePolicy }]) => {
    const type = Type.replace('AWS::', '')
    const isStateful = statefulTypes.includes(type) || (statefulIds.test(id) && !type.endsWith('Policy'))
    return isStateful
      ? [`${type} ${id} ${DeletionPolicy ?? 'Delete'}/${UpdateReplacePolicy ?? 'Delete'}`]
      : []
  })

describe('the IDs and policies of stateful resources', () => {
  it('are those of deployed services', () => {
    expect(listStateful(standard).toSorted()).toEqual(Object.keys(golden).sort())
  })

  it('do not depend on settings', () => {
    const expected = Object.keys({ ...golden, ...goldenWithSettings })
    expect(listStateful(full).toSorted()).toEqual(expected.sort())
  })
})
