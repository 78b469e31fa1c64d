package dev.latchkey.plugins.apikeys.spring;

import java.nio.file.Path;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.springframework.context.ApplicationContext;

/** A service of one of the two stacks, with these properties. */
interface Stack {

    void run(Path folder, BiConsumer<KeyClient, ApplicationContext> test, String... properties);

    static Stream<Named<Stack>> both() {
        return Stream.of(
                Named.of(
                        "servlet",
                        (folder, test, properties) -> Services.servlet(folder)
                                .withPropertyValues(properties)
                                .run(context -> test.accept(KeyClient.of(context), context))),
                Named.of(
                        "WebFlux",
                        (folder, test, properties) -> Services.webFlux(folder)
                                .withPropertyValues(properties)
                                .run(context -> test.accept(KeyClient.of(context), context))));
    }
}
