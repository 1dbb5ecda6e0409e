import { PutObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import type { WriteObject } from './archive-log.ts'

/**
 * Creates the function that writes objects to a bucket. It replaces none: a later run could find less, because events expire.
 */
export const createBucketWriter = (bucket: string): WriteObject => {
  const client = new S3Client({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 20_000, throwOnRequestTimeout: true },
  })
  return async (name, content) => {
    const command = new PutObjectCommand({
      Bucket: bucket,
      Key: name,
      Body: content,
      ContentType: 'application/gzip',
      IfNoneMatch: '*',
    })
    try {
      await client.send(command)
    } catch (error) {
      if (!(error instanceof S3ServiceException && error.name === 'PreconditionFailed')) throw error
    }
  }
}
