package dev.latchkey.auth.spring.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A page of {@code docs/reference}, or a part between two comments, written from the code with {@code -Ddocs=write}. */
final class ReferencePage {

    private static final Path FOLDER = Path.of("..", "docs", "reference");

    private ReferencePage() {}

    static void isMadeOf(String name, String text) throws IOException {
        Path file = FOLDER.resolve(name);
        if ("write".equals(System.getProperty("docs"))) {
            Files.createDirectories(FOLDER);
            Files.writeString(file, text);
        }
        assertThat(Files.readString(file)).as(howToWrite(name)).isEqualTo(text);
    }

    /** @param part what the page has between {@code <!-- part -->} and {@code <!-- /part -->} */
    static void hasPart(String name, String part, String text) throws IOException {
        Path file = FOLDER.resolve(name);
        String page = Files.readString(file);
        String begin = "<!-- " + part + " -->\n";
        String end = "<!-- /" + part + " -->";
        assertThat(page).contains(begin, end);
        String made =
                page.substring(0, page.indexOf(begin) + begin.length()) + text + page.substring(page.indexOf(end));
        isMadeOf(name, made);
    }

    private static String howToWrite(String name) {
        return name + " is not what the code says; write it: ./mvnw -pl auth-spring-boot-starter -am test "
                + "-Dtest='*ReferenceTest' -Dsurefire.failIfNoSpecifiedTests=false -Dsurefire.flags=-Ddocs=write";
    }
}
