import { PutObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import type { Services } from '../../lib/services.ts'
import { archiveLog } from './archive-log.ts'

const client = new S3Client({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1000, requestTimeout: 20_000, throwOnRequestTimeout: true },
})

/**
 * Copies what checkpoints signed to a bucket: see `archiveLog`. It replaces no object, because a later run could find less: events
 * expire.
 */
export const archiveInBucket = (services: Services, bucket: string): Promise<void> =>
  archiveLog(services, async (name, content) => {
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
  })
