package dev.latchkey.examples.kotlin

import java.io.ByteArrayOutputStream
import java.io.PrintStream
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.readText
import org.assertj.core.api.Assertions.assertThat
import org.jetbrains.kotlin.cli.common.ExitCode
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource

/** The Kotlin code of the guides compiles. Gradle's blocks are compared with Maven's by `GuidePagesTest` of the starter. */
class GuideCodeTest {

    @TempDir
    lateinit var folder: Path

    @Test
    fun pagesWithKotlin_areFound() {
        assertThat(pages()).hasSizeGreaterThan(4).contains("README.md", "docs/getting-started/tokens.md")
    }

    @ParameterizedTest
    @MethodSource("pages")
    fun codeOfThePage_compiles(page: String) {
        val sources = code(page).mapIndexed { number, code ->
            Files.writeString(folder.resolve("Code$number.kt"), code).toString()
        }
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
            *sources.toTypedArray(),
        )
        assertThat(result).`as`(messages.toString()).isEqualTo(ExitCode.OK)
    }

    companion object {
        private val REPOSITORY = Path.of("..", "..")
        private val BLOCK = Regex("^ *```kotlin\n(.*?)^ *```", setOf(RegexOption.MULTILINE, RegexOption.DOT_MATCHES_ALL))

        /** The pages of guides with Kotlin code. */
        @JvmStatic
        fun pages(): List<String> = Files.walk(REPOSITORY.resolve("docs")).use { files ->
            files.toList().plusElement(REPOSITORY.resolve("README.md"))
                .filter { it.toString().endsWith(".md") && !it.toString().contains("target") }
                .map { REPOSITORY.relativize(it).toString() }
                .filter { code(it).isNotEmpty() }
                .sorted()
        }

        private fun code(page: String): List<String> =
            BLOCK.findAll(REPOSITORY.resolve(page).readText())
                .map { it.groupValues[1].trimIndent() }
                .filter { !it.startsWith("dependencies {") }
                .toList()
    }
}
