package dev.latchkey.plugins.apikeys.spring;

import java.util.function.BiConsumer;
import java.util.function.Function;
import org.springframework.context.ApplicationContext;

/** The two web stacks. */
enum Stack {
    SERVLET(Services::onServlets, KeyClient::ofServlets),
    WEBFLUX(Services::onWebFlux, KeyClient::ofWebFlux);

    private final Function<String[], ApplicationContext> service;
    private final Function<ApplicationContext, KeyClient> client;

    Stack(Function<String[], ApplicationContext> service, Function<ApplicationContext, KeyClient> client) {
        this.service = service;
        this.client = client;
    }

    /** Runs this test in a service with a key file and these properties. */
    void run(BiConsumer<KeyClient, ApplicationContext> test, String... properties) {
        SharedService shared = SharedService.of(this, properties);
        test.accept(shared.client(), shared.context());
    }

    SharedService start(String... properties) {
        ApplicationContext context = service.apply(properties);
        return new SharedService(context, client.apply(context));
    }
}
