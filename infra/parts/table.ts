import { RemovalPolicy } from 'aws-cdk-lib'
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
import { tableDefinition } from '../../lib/kernel/table/table.ts'
import type { AdoptedTable } from './adoption.ts'

/** A table that the stack created or adopted. */
export type ServiceTable = Table | ITable

const text = (name: string) => ({ name, type: AttributeType.STRING })

/** Creates the table from the definition that local mode uses as well. */
export const createTable = (scope: Construct, key: IKey, removalPolicy: RemovalPolicy): Table => {
  const { partitionKey, sortKey, ttlAttribute, listing } = tableDefinition
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
  })
  table.addGlobalSecondaryIndex({
    indexName: listing.indexName,
    partitionKey: text(listing.partitionKey),
    sortKey: text(listing.sortKey),
    projectionType: ProjectionType[listing.projection],
  })
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
    globalIndexes: [tableDefinition.listing.indexName],
  })
