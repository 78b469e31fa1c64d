package dev.latchkey.auth.spring;

import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.InputStreamSource;
import org.springframework.javapoet.ClassName;
import org.springframework.mock.web.MockServletContext;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.web.context.support.GenericWebApplicationContext;

/**
 * A service on generated, compiled code. A class loader of its own loads all of Spring again, because generated code shares
 * packages with Spring's classes.
 */
public final class AheadOfTimeRun {

    private AheadOfTimeRun() {}

    /** What {@link Service} hears. */
    public static List<String> answers(InMemoryGeneratedFiles files, ClassName initializer, Path folder)
            throws Exception {
        write(files.getGeneratedFiles(Kind.CLASS), folder);
        compile(write(files.getGeneratedFiles(Kind.SOURCE), folder), folder);
        return FreshClassPath.behind(folder).call(Service.class, initializer.reflectionName());
    }

    private static List<Path> write(Map<String, InputStreamSource> files, Path folder) throws IOException {
        List<Path> written = new ArrayList<>();
        for (var file : files.entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            try (InputStream content = file.getValue().getInputStream()) {
                Files.copy(content, path);
            }
            written.add(path);
        }
        return written;
    }

    private static void compile(List<Path> sources, Path folder) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> options =
                List.of("-proc:none", "-nowarn", "-d", folder.toString(), "-classpath", FreshClassPath.ENTRIES);
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            if (!compiler.getTask(null, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call()) {
                throw new AssertionError("What was generated does not compile");
            }
        }
    }

    /** Made and asked by the other loader. */
    static final class Service implements Callable<List<String>> {

        private final String initializer;

        Service(String initializer) {
            this.initializer = initializer;
        }

        @Override
        public List<String> call() throws Exception {
            try (GenericWebApplicationContext context = new GenericWebApplicationContext(new MockServletContext())) {
                TestPropertyValues.of("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true")
                        .applyTo(context);
                initialize(context);
                context.refresh();
                MockMvc mvc = Services.mvc(context);
                String token = Services.tokenFrom(mvc.perform(
                        post("/auth/token").contentType("application/json").content(Services.LOGIN)));
                return List.of(
                        answer(mvc, get("/hello").header("Authorization", "Bearer " + token)),
                        answer(mvc, get("/hello").header("Authorization", "Bearer " + token + "x")),
                        answer(mvc, get("/hello").with(httpBasic("alice", Services.PASSWORD))),
                        answer(mvc, get("/hello").with(httpBasic("alice", "wrong"))));
            }
        }

        @SuppressWarnings("unchecked") // generated as one for these contexts
        private void initialize(GenericWebApplicationContext context) throws ReflectiveOperationException {
            ((ApplicationContextInitializer<GenericApplicationContext>) Class.forName(initializer)
                            .asSubclass(ApplicationContextInitializer.class)
                            .getConstructor()
                            .newInstance())
                    .initialize(context);
        }

        private static String answer(MockMvc mvc, MockHttpServletRequestBuilder request) throws Exception {
            var response = mvc.perform(request).andReturn().getResponse();
            return response.getStatus() + " " + response.getContentAsString();
        }
    }
}
