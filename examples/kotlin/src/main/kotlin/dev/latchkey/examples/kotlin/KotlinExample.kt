package dev.latchkey.examples.kotlin

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication

/** Starts on servlets; with `spring.main.web-application-type=reactive` on WebFlux. */
@SpringBootApplication
class KotlinExample

fun main(arguments: Array<String>) {
    runApplication<KotlinExample>(*arguments)
}
