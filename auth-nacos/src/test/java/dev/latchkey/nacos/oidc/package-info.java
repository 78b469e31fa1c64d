/** Tokens of an issuer on loopback. */
package dev.latchkey.nacos.oidc;
