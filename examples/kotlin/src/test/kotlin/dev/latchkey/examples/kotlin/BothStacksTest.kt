package dev.latchkey.examples.kotlin

import dev.latchkey.auth.jwt.JwtClaims
import dev.latchkey.auth.jwt.JwtSigner
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import org.springframework.boot.WebApplicationType
import org.springframework.boot.builder.SpringApplicationBuilder

/** The same requests to the service on servlets and on WebFlux. */
class BothStacksTest {

    @ParameterizedTest
    @ValueSource(strings = ["SERVLET", "REACTIVE"])
    fun dsl_principal_andPermissions(type: String) {
        SpringApplicationBuilder(KotlinExample::class.java)
            .web(WebApplicationType.valueOf(type))
            .properties("server.port=0")
            .run()
            .use { context ->
                // The key and the password are known.
                assertThat(context.environment.getProperty("server.address")).isEqualTo("127.0.0.1")
                val port = context.environment.getRequiredProperty("local.server.port")
                val signer = context.getBean(JwtSigner::class.java)
                val clerk = signer.sign(claims("order.*").with("region", "eu"))
                val other = signer.sign(claims("user.*"))

                assertThat(ask(port, "/me", null)).startsWith("401")
                assertThat(ask(port, "/me", clerk + "x")).startsWith("401")
                assertThat(ask(port, "/me", clerk)).isEqualTo("200 alice of eu")
                assertThat(ask(port, "/me", other)).isEqualTo("200 alice of nowhere")
                for (path in listOf("/orders", "/orders/17") + if (type == "REACTIVE") listOf("/order-stream") else listOf()) {
                    assertThat(ask(port, path, clerk)).startsWith("200 ").contains("order")
                    assertThat(ask(port, path, other)).startsWith("403")
                }
            }
    }

    private fun claims(authority: String) =
        JwtClaims.forSubject("alice", Duration.ofMinutes(5)).with("authorities", listOf(authority))

    private fun ask(port: String, path: String, token: String?): String {
        val request = HttpRequest.newBuilder(URI("http://127.0.0.1:$port$path"))
        token?.let { request.header("Authorization", "Bearer $it") }
        val answer = HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString())
        return "${answer.statusCode()} ${answer.body()}"
    }
}
