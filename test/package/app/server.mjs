import { startLocalService } from 'latchkey'

const adminPassword = 'violin harbor mustard'
const service = await startLocalService({ adminPassword, port: 0, settings: { BREACH_ENDPOINT: '' } })
const { status } = await fetch(`${service.url}/api/2/auth/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ username: 'admin', password: adminPassword }),
})
await service.stop()
const isStopped = await fetch(service.url).then(
  () => false,
  () => true,
)
process.stdout.write(`signed in: ${status}, ${isStopped ? 'then stopped' : 'still running'}\n`)
