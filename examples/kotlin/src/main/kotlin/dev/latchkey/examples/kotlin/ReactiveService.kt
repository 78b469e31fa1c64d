package dev.latchkey.examples.kotlin

import dev.latchkey.auth.Subject
import dev.latchkey.auth.spring.webflux.LatchkeyWebFlux
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.reactor.awaitSingle
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type.REACTIVE
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.security.access.prepost.PreAuthorize
import org.springframework.security.config.annotation.method.configuration.EnableReactiveMethodSecurity
import org.springframework.security.config.web.server.ServerHttpSecurity
import org.springframework.security.core.annotation.AuthenticationPrincipal
import org.springframework.security.core.context.ReactiveSecurityContextHolder
import org.springframework.security.web.server.SecurityWebFilterChain
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController

/** The same service on WebFlux, with coroutines. */
@Configuration
@ConditionalOnWebApplication(type = REACTIVE)
@EnableReactiveMethodSecurity
class ReactiveService {

    @Bean
    fun chain(http: ServerHttpSecurity, latchkey: LatchkeyWebFlux): SecurityWebFilterChain =
        http.latchkey(latchkey) {
            authorizeExchange {
                authorize("/orders/{id}", latchkey.permission("order", "read"))
                authorize(anyExchange, authenticated)
            }
            exceptionHandling { authenticationEntryPoint = latchkey.challenge() }
        }

    @RestController
    @ConditionalOnWebApplication(type = REACTIVE)
    class Orders {

        @GetMapping("/me")
        suspend fun me(@AuthenticationPrincipal subject: Subject): String {
            delay(1) // goes on, maybe on another thread
            val context = ReactiveSecurityContextHolder.getContext().awaitSingle()
            check(context.authentication?.name == subject.id()) { "The login is that of the request" }
            return describe(subject)
        }

        @GetMapping("/orders")
        @PreAuthorize("hasPermission('order', 'read')")
        suspend fun orders(): String {
            delay(1)
            return "orders"
        }

        @GetMapping("/order-stream")
        @PreAuthorize("hasPermission('order', 'read')")
        fun stream(): Flow<String> = flow {
            emit("or")
            delay(1)
            emit("ders")
        }

        @GetMapping("/orders/{id}")
        suspend fun order(): String = "an order"
    }
}
