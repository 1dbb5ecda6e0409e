import type { TableCall } from '../infra/dynamodb-proxy.ts'
import type { JsonValue } from '../support/client.ts'

/** The key of an item as DynamoDB sends it. */
export interface WireKey {
  readonly pk: { readonly S: string }
  readonly sk: { readonly S: string }
}

export interface KeyChange {
  readonly key: WireKey
  readonly isDeleted: boolean
}

const keyOf = ({ pk, sk }: WireKey): WireKey => ({ pk, sk })
const put = (item: WireKey): KeyChange => ({ key: keyOf(item), isDeleted: false })
const removal = (key: WireKey): KeyChange => ({ key: keyOf(key), isDeleted: true })

const ofStep = ({ Put, Update, Delete }: JsonValue): readonly KeyChange[] => {
  if (Put) return [put(Put.Item)]
  if (Update) return [put(Update.Key)]
  return Delete ? [removal(Delete.Key)] : []
}

const ofBatch = ({ PutRequest, DeleteRequest }: JsonValue): KeyChange =>
  PutRequest ? put(PutRequest.Item) : removal(DeleteRequest.Key)

/** The keys of the items that a successful call wrote or deleted. */
export const listChanges = ({ action, input }: TableCall): readonly KeyChange[] => {
  if (action === 'PutItem') return [put(input.Item)]
  if (action === 'UpdateItem') return [put(input.Key)]
  if (action === 'DeleteItem') return [removal(input.Key)]
  if (action === 'TransactWriteItems') return input.TransactItems.flatMap(ofStep)
  if (action === 'BatchWriteItem')
    return Object.values<JsonValue>(input.RequestItems).flatMap((requests) => requests.map(ofBatch))
  return []
}
