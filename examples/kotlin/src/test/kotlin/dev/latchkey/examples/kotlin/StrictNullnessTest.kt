package dev.latchkey.examples.kotlin

import java.io.ByteArrayOutputStream
import java.io.PrintStream
import java.nio.file.Files
import java.nio.file.Path
import org.assertj.core.api.Assertions.assertThat
import org.jetbrains.kotlin.cli.common.ExitCode
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource

/** What the compiler says of Latchkey's types with `-Xjspecify-annotations=strict`. */
class StrictNullnessTest {

    @TempDir
    lateinit var folder: Path

    @ParameterizedTest
    @ValueSource(
        strings = [
            "val a = dev.latchkey.auth.Subject.of(null)",
            "fun b(login: dev.latchkey.auth.Authenticated): Int = login.stamp().hashCode() + login.stamp().toString().length + login.stamp().withBytes { it.size }",
            "fun c(jwt: dev.latchkey.auth.spring.settings.LatchkeyProperties.Jwt): Int = jwt.issuer().length",
            "val d: dev.latchkey.auth.engine.AuthChain = dev.latchkey.auth.engine.AuthChain.of(listOf(null))",
        ],
    )
    fun mistake_isAnError(code: String) {
        val (result, messages) = compile(code)
        assertThat(result).`as`(messages).isEqualTo(ExitCode.COMPILATION_ERROR)
        assertThat(messages).containsIgnoringCase("null")
    }

    @Test
    fun rightCode_compiles() {
        val (result, messages) = compile(
            """
            fun c(jwt: dev.latchkey.auth.spring.settings.LatchkeyProperties.Jwt): Int = jwt.issuer()?.length ?: 0
            val a: dev.latchkey.auth.Subject = dev.latchkey.auth.Subject.of("alice")
            val name: String = a.id()
            """,
        )
        assertThat(result).`as`(messages).isEqualTo(ExitCode.OK)
    }

    private fun compile(code: String): Pair<ExitCode, String> {
        val source = Files.writeString(folder.resolve("Code.kt"), code)
        val messages = ByteArrayOutputStream()
        val result = K2JVMCompiler().exec(
            PrintStream(messages),
            "-Xjspecify-annotations=strict",
            "-no-stdlib",
            "-no-reflect",
            "-cp",
            System.getProperty("java.class.path"),
            "-d",
            folder.resolve("classes").toString(),
            source.toString(),
        )
        return result to messages.toString()
    }
}
