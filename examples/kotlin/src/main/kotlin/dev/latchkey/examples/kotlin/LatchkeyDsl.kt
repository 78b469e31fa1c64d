package dev.latchkey.examples.kotlin

import dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer
import dev.latchkey.auth.spring.webflux.LatchkeyWebFlux
import org.springframework.security.config.annotation.web.HttpSecurityDsl
import org.springframework.security.config.web.server.ServerHttpSecurity
import org.springframework.security.config.web.server.ServerHttpSecurityDsl
import org.springframework.security.config.web.server.invoke
import org.springframework.security.web.server.SecurityWebFilterChain

/** `latchkey { }` in a filter chain of a servlet service: tokens, plugins and the login. */
fun HttpSecurityDsl.latchkey(configure: LatchkeyHttpConfigurer.() -> Unit = {}) {
    with(LatchkeyHttpConfigurer.latchkey(), configure)
}

/** The same for WebFlux, whose filters need beans: `http.latchkey(latchkey) { authorizeExchange { … } }`. */
fun ServerHttpSecurity.latchkey(
    latchkey: LatchkeyWebFlux,
    configure: ServerHttpSecurityDsl.() -> Unit,
): SecurityWebFilterChain = latchkey.addTo(this).invoke(configure)
