const { App, Stack } = require('aws-cdk-lib')
const { AuthService } = require('@latchkey/construct')
const app = new App()
const hostedZone = { id: 'Z0123456789ABCDEFGHIJ', name: 'example.com' }
const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/example'
const settings = { mailFrom: 'a@example.com', alarmEmail: 'ops@example.com', backup: true, tracing: true }
const service = new Stack(app, 'Service', { env: { region: 'us-east-1' } })
new AuthService(service, 'Auth', { ...settings, domain: { name: 'auth.example.com', hostedZone }, frontDoor: { certificateArn } })
const product = new Stack(app, 'Product')
AuthService.fromAttributes(product, 'Auth', { url: 'https://auth.example.com' })
const { template } = app.synth().getStackByName('Service')
console.log(JSON.stringify(Object.values(template.Resources).map(({ Type }) => Type)))
