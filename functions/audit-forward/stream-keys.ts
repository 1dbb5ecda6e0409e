import type { DynamoDBRecord } from 'aws-lambda'
import type { Key } from '../../lib/store/engine/keys.ts'

/** The item of a stream record. */
export const readStreamKey = ({ dynamodb }: DynamoDBRecord): Key | undefined => {
  const [pk, sk] = [dynamodb?.Keys?.['pk']?.S, dynamodb?.Keys?.['sk']?.S]
  return pk && sk ? { pk, sk } : undefined
}
