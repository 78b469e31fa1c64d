package dev.latchkey.benchmarks.request;

import java.util.Arrays;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The service under load. Its first argument names the chain; its first line of output is {@code LISTENING} and the port. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@RestController
public class RequestService {

    public static void main(String[] args) {
        Class<?> chain = switch (args[0]) {
            case "OPEN" -> Chains.Open.class;
            case "LATCHKEY" -> Chains.Latchkey.class;
            case "RESOURCE_SERVER" -> Chains.ResourceServer.class;
            case "JJWT" -> Chains.Jjwt.class;
            case "AUTH_JWT" -> Chains.AuthJwt.class;
            default -> throw new IllegalArgumentException("There is no chain " + args[0]);
        };
        new SpringApplication(RequestService.class, chain)
                .run(Stream.concat(Stream.of("--spring.config.name=request"), Arrays.stream(args))
                        .toArray(String[]::new));
    }

    @EventListener
    void announce(ApplicationReadyEvent ready) {
        System.out.println(
                "LISTENING " + ready.getApplicationContext().getEnvironment().getProperty("local.server.port"));
    }

    @GetMapping("/hello")
    String hello() {
        return "Hello";
    }
}
