package dev.latchkey.plugins.codes.spring;

import dev.latchkey.plugins.codes.SetClock;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.springframework.context.ApplicationContext;

/** A service on one of the two web stacks, with a key in this folder and these properties. */
interface Stack {

    void run(SetClock clock, Path folder, BiConsumer<Client, ApplicationContext> test, String... properties);

    static Stream<Named<Stack>> both() {
        Stack servlet = (clock, folder, test, properties) -> Services.servlet(clock)
                .withPropertyValues(Services.keyFile(folder))
                .withPropertyValues(properties)
                .run(context -> test.accept(Client.ofServlets(context), context));
        Stack webFlux = (clock, folder, test, properties) -> Services.webFlux(clock)
                .withPropertyValues(Services.keyFile(folder))
                .withPropertyValues(properties)
                .run(context -> test.accept(Client.ofWebFlux(context), context));
        return Stream.of(Named.of("servlet", servlet), Named.of("WebFlux", webFlux));
    }
}
