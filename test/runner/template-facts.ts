import { type Facts, resolve } from '../infra/intrinsics.ts'
import { type Resource, resourcesOf, stackSettings, type Template } from '../infra/synthesis.ts'

export const region = 'local'
export const account = '000000000000'

export const tableArn = (name: string): string => `arn:aws:dynamodb:${region}:${account}:table/${name}`

const arnOf = (id: string): string => `arn:aws:test:${region}:${account}:${id}`

/** Replicas of a key in other regions have the same ID, which begins with `mrk-`. */
const multiRegionKeyArn = (id: string): string => `arn:aws:kms:${region}:${account}:key/mrk-${id}`

/** The values of references and attributes in the deployed template. */
export const factsOf = (template: Template, tableName: string): Facts => {
  const ofResource = ([id, { Type, Properties }]: readonly [string, Resource]) =>
    Type === 'AWS::DynamoDB::Table'
      ? {
          [id]: tableName,
          [`${id}.Arn`]: tableArn(tableName),
          [`${id}.StreamArn`]: `${tableArn(tableName)}/stream/1`,
        }
      : { [id]: id, [`${id}.Arn`]: Properties?.MultiRegion ? multiRegionKeyArn(id) : arnOf(id) }
  const [[apiId] = []] = resourcesOf(template, 'AWS::ApiGatewayV2::Api')
  const facts: Facts = Object.assign(
    {
      'AWS::Region': region,
      'AWS::AccountId': account,
      'AWS::Partition': 'aws',
      'AWS::URLSuffix': 'amazonaws.com',
      [`${apiId}.ApiEndpoint`]: 'https://auth.example.com',
    },
    ...Object.entries(template.Resources).map(ofResource),
  )
  const parameters = resourcesOf(template, 'AWS::SSM::Parameter').map(([id, { Properties }]) => [
    `${id}.Value`,
    resolve(Properties.Value, facts),
  ])
  return { ...facts, ...Object.fromEntries(parameters) }
}

/** The role of a function. */
export const roleArnOf = (template: Template, functionId: string, facts: Facts): string =>
  resolve(template.Resources[functionId]?.Properties.Role ?? '', facts)

/** The name of the table that the stack adopts, if it does not create one. */
export const adoptedTableOf = (template: Template): string | undefined => {
  const [[, adopting] = []] = resourcesOf(template, 'AWS::Lambda::Function')
  const name = adopting?.Properties.Environment.Variables.TABLE_NAME
  return typeof name === 'string' ? name : undefined
}

/** The key of the stack for stored data. */
export const ownKeyArnOf = (template: Template, facts: Facts): string =>
  facts[`${resourcesOf(template, 'AWS::KMS::Key')[0]?.[0]}.Arn`] ?? ''

/** The key that encrypts the table. An adopted table has its own. */
export const tableKeyArnOf = (template: Template, facts: Facts): string => {
  const [[, table] = []] = resourcesOf(template, 'AWS::DynamoDB::Table')
  return table
    ? resolve(table.Properties.SSESpecification.KMSMasterKeyId, facts)
    : stackSettings.adopted.table.keyArn
}
