import { RemovalPolicy } from 'aws-cdk-lib'
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import type { Construct } from 'constructs'
import { tableDefinition } from '../lib/store/engine/definition.ts'

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
