const { App, Stack } = require('aws-cdk-lib')
const { AuthService } = require('@latchkey/construct')

new AuthService(new Stack(new App(), 'Product'), 'Auth', { publicUrl: 'http://auth.example.com', mailfrom: 'a@example.com' })
