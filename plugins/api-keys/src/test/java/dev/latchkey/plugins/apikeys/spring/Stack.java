package dev.latchkey.plugins.apikeys.spring;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.springframework.context.ApplicationContext;

/** The two web stacks. */
enum Stack {
    SERVLET(
            (properties, test) ->
                    Services.shared(Services.servlet(), properties).run(context -> test.accept(context)),
            KeyClient::ofServlets),
    WEBFLUX(
            (properties, test) ->
                    Services.shared(Services.webFlux(), properties).run(context -> test.accept(context)),
            KeyClient::ofWebFlux);

    private final BiConsumer<String[], Consumer<ApplicationContext>> service;
    private final Function<ApplicationContext, KeyClient> client;

    Stack(BiConsumer<String[], Consumer<ApplicationContext>> service, Function<ApplicationContext, KeyClient> client) {
        this.service = service;
        this.client = client;
    }

    /** Runs this test in a service with a key file and these properties. */
    void run(BiConsumer<KeyClient, ApplicationContext> test, String... properties) {
        SharedService shared = SharedService.of(this, properties);
        test.accept(shared.client(), shared.context());
    }

    /** Starts a service, and ends it when this has returned. */
    void whileItRuns(Consumer<ApplicationContext> use, String... properties) {
        service.accept(properties, use);
    }

    KeyClient client(ApplicationContext context) {
        return client.apply(context);
    }
}
