package dev.latchkey.examples.kotlin

import dev.latchkey.auth.Subject
import dev.latchkey.auth.spring.access.LatchkeyPermissions
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type.SERVLET
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.security.access.prepost.PreAuthorize
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity
import org.springframework.security.config.annotation.web.builders.HttpSecurity
import org.springframework.security.config.annotation.web.invoke
import org.springframework.security.core.annotation.AuthenticationPrincipal
import org.springframework.security.web.SecurityFilterChain
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController

/** The rules and the controller of a servlet service. */
@Configuration
@ConditionalOnWebApplication(type = SERVLET)
@EnableMethodSecurity
class ServletService {

    @Bean
    fun chain(http: HttpSecurity, permissions: LatchkeyPermissions): SecurityFilterChain {
        http {
            authorizeHttpRequests {
                authorize("/orders/{id}", permissions.permission("order", "read"))
                authorize(anyRequest, authenticated)
            }
            latchkey { }
        }
        return http.build()
    }

    @RestController
    @ConditionalOnWebApplication(type = SERVLET)
    class Orders {

        @GetMapping("/me")
        fun me(@AuthenticationPrincipal subject: Subject): String = describe(subject)

        @GetMapping("/orders")
        @PreAuthorize("hasPermission('order', 'read')")
        fun orders(): String = "orders"

        @GetMapping("/orders/{id}")
        fun order(): String = "an order"
    }
}

/** A claim may be missing, and the compiler knows it: `subject.claims()[…]` is of a nullable type. */
fun describe(subject: Subject): String = "${subject.id()} of ${subject.claims()["region"] ?: "nowhere"}"
