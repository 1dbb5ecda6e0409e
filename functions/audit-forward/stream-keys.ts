import type { DynamoDBRecord } from 'aws-lambda'

/** The key of the item of a stream record. */
export const readStreamKey = ({
  dynamodb,
}: DynamoDBRecord): { readonly pk: string; readonly sk: string } | undefined => {
  const [pk, sk] = [dynamodb?.Keys?.['pk']?.S, dynamodb?.Keys?.['sk']?.S]
  return pk && sk ? { pk, sk } : undefined
}
