const cdk = require('aws-cdk-lib')
const apigateway = require('aws-cdk-lib/aws-apigatewayv2')
const { AuthService } = require('latchkey')
const { buildApp } = require('./build-app.cjs')

buildApp({ cdk, apigateway, AuthService }, 'cdk.out/cjs')
