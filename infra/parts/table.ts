import { RemovalPolicy, Token } from 'aws-cdk-lib'
import {
  AttributeType,
  BillingMode,
  type ITable,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb'
import { type IKey, Key } from 'aws-cdk-lib/aws-kms'
import type { Construct } from 'constructs'
import type { AdoptedTable } from '../../lib/kernel/settings/object-settings.ts'
import { indexNames, keyNamesOf, tableDefinition } from '../../lib/kernel/table/table.ts'
import { omitUndefined } from '../../lib/kernel/util/object-fields.ts'
import type { AuthServiceProps } from '../settings/auth-service-props.ts'

/** A table that the stack created or adopted. */
export type ServiceTable = Table | ITable

const text = (name: string) => ({ name, type: AttributeType.STRING })

/** What limits the throughput of the table and of its indexes. */
type Throughput = Pick<
  AuthServiceProps,
  'warmReadUnits' | 'warmWriteUnits' | 'maxReadUnits' | 'maxWriteUnits'
>

/**
 * Each write of an entry of an index takes units of both, and DynamoDB refuses it if one of them has too few. So all have the
 * same throughput.
 */
const toThroughput = ({ warmReadUnits, warmWriteUnits, maxReadUnits, maxWriteUnits }: Throughput) =>
  omitUndefined({
    warmThroughput:
      warmReadUnits === undefined && warmWriteUnits === undefined
        ? undefined
        : omitUndefined({ readUnitsPerSecond: warmReadUnits, writeUnitsPerSecond: warmWriteUnits }),
    maxReadRequestUnits: maxReadUnits,
    maxWriteRequestUnits: maxWriteUnits,
  })

/** Lists what is wrong with the throughput, as a sentence each. */
export const findThroughputProblems = (props: AuthServiceProps): readonly string[] => {
  const given = Object.keys(toThroughput(props)).length > 0
  if (given && props.table)
    return [
      'warmReadUnits, warmWriteUnits, maxReadUnits and maxWriteUnits cannot be set with table. Set the throughput of the table in DynamoDB.',
    ]
  return (['Read', 'Write'] as const).flatMap((kind) => {
    const [warm, max] = [props[`warm${kind}Units`], props[`max${kind}Units`]]
    return isKnown(warm) && isKnown(max) && max < warm
      ? [`max${kind}Units must not be below warm${kind}Units.`]
      : []
  })
}

const isKnown = (value: number | undefined): value is number =>
  value !== undefined && !Token.isUnresolved(value)

/** Creates the table from the definition that local mode uses as well. */
export const createTable = (
  scope: Construct,
  key: IKey,
  { removalPolicy, ...given }: Throughput & { readonly removalPolicy: RemovalPolicy },
): Table => {
  const { partitionKey, sortKey, ttlAttribute, indexProjection } = tableDefinition
  const throughput = toThroughput(given)
  const table = new Table(scope, 'Table', {
    partitionKey: text(partitionKey),
    sortKey: text(sortKey),
    timeToLiveAttribute: ttlAttribute,
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.CUSTOMER_MANAGED,
    encryptionKey: key,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: removalPolicy !== RemovalPolicy.DESTROY,
    // Images of items can contain password hashes. Functions that follow the stream read the items that they need.
    stream: StreamViewType.KEYS_ONLY,
    removalPolicy,
    ...throughput,
  })
  for (const indexName of indexNames) {
    const keys = keyNamesOf(indexName)
    table.addGlobalSecondaryIndex({
      indexName,
      partitionKey: text(keys.partitionKey),
      sortKey: text(keys.sortKey),
      projectionType: ProjectionType[indexProjection],
      ...throughput,
    })
  }
  return table
}

/**
 * Uses a table that exists already. CloudFormation cannot change it: its stream, expiry, recovery and protection are
 * those that the operator set. `ownKey` encrypts it unless it has a key of its own.
 */
export const adoptTable = (
  scope: Construct,
  { name, streamArn, keyArn }: AdoptedTable,
  ownKey: IKey,
): ITable =>
  Table.fromTableAttributes(scope, 'AdoptedTable', {
    tableName: name,
    tableStreamArn: streamArn,
    encryptionKey: keyArn === undefined ? ownKey : Key.fromKeyArn(scope, 'AdoptedTableKey', keyArn),
    globalIndexes: [...indexNames],
  })
