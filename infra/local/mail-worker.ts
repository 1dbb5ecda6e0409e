import { parentPort, workerData } from 'node:worker_threads'
import ses from 'aws-ses-v2-local'

await ses.default({ host: '127.0.0.1', port: workerData.port })
parentPort?.postMessage('ready')
