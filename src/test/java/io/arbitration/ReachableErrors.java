package io.arbitration;

import io.arbitration.platform.answer.ApiError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.reflect.AccessFlag;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which errors the code of an operation names, read from the compiled classes: from the handler that a contract is bound to, through
 * everything that it may call. It finds too many rather than too few: a virtual call is taken to reach every method that overrides the
 * one it names, and one of a batcher or bulkhead every function that such an object of the same package is made with.
 */
final class ReachableErrors {

    private static final String OURS = "io/arbitration/";
    private static final Set<String> BINDERS = Set.of("bind", "bindLarge", "bindDownload", "bindStream", "bindEvents", "bindUpload");
    /** Made with functions, before any request comes, that a request reaches through them. */
    private static final Set<String> GIVEN_FUNCTIONS =
            Set.of(OURS + "platform/batching/CommandBatcher", OURS + "platform/batching/BatchingLoader", OURS + "platform/limits/Bulkhead");
    private static final String UPLOADS = OURS + "platform/pipeline/UploadHandler";
    private static final String DOMAIN = OURS + "domain/";
    private static final String CONTRACT = OURS + "platform/pipeline/Contract";

    private record Method(String owner, String name, String descriptor) {}

    /** What the code of a method names. */
    private record Body(Set<Method> called, Set<Method> functions, Set<String> made, Set<String> constants) {

        boolean makes(String type) {
            return made.contains(type) || called.stream().anyMatch(call -> call.owner.equals(type) && call.descriptor.endsWith(")L" + type + ";"));
        }
    }

    private final Map<String, ClassModel> classes = new HashMap<>();
    private final Map<Method, Body> bodies = new HashMap<>();
    private final Map<String, Set<String>> subtypes = new HashMap<>();
    /** Handlers by operationId. */
    private final Map<String, Set<Method>> handlers = new TreeMap<>();
    private final Map<String, ApiError> errors = new HashMap<>();

    private final Set<String> operations;

    private ReachableErrors(Set<String> operations) {
        this.operations = operations;
    }

    /** Errors by operationId. */
    static Map<String, Set<ApiError>> byOperation(List<ApiError> all, Set<String> operations) {
        ReachableErrors reachable = new ReachableErrors(operations);
        all.forEach(error -> reachable.errors.put(error.getClass().getName().replace('.', '/') + "." + ((Enum<?>) error).name(), error));
        reachable.read();
        Map<String, Set<ApiError>> found = new TreeMap<>();
        reachable.handlers.forEach((operation, starts) -> found.put(operation, reachable.from(starts)));
        return found;
    }

    private void read() {
        Path folder = Path.of(URI.create(ApiError.class.getProtectionDomain().getCodeSource().getLocation().toString()));
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
                ClassModel model = ClassFile.of().parse(file);
                classes.put(model.thisClass().asInternalName(), model);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        classes.forEach((name, model) -> supertypes(model).forEach(above -> subtypes.computeIfAbsent(above, none -> new HashSet<>()).add(name)));
        classes.forEach((name, model) -> model.methods().forEach(method -> method.code().ifPresent(code -> bodies.put(named(name, method), body(name, code)))));
    }

    private static Method named(String owner, MethodModel method) {
        return new Method(owner, method.methodName().stringValue(), method.methodType().stringValue());
    }

    private static Set<String> supertypes(ClassModel model) {
        Set<String> above = new HashSet<>();
        model.superclass().ifPresent(one -> above.add(one.asInternalName()));
        model.interfaces().forEach(one -> above.add(one.asInternalName()));
        return above;
    }

    private Body body(String owner, CodeModel code) {
        Body body = new Body(new HashSet<>(), new HashSet<>(), new HashSet<>(), new HashSet<>());
        String operation = null;
        Set<Method> since = new HashSet<>();
        for (CodeElement element : code) {
            switch (element) {
                case ConstantInstruction constant when constant.constantValue() instanceof String text && operations.contains(text) -> {
                    operation = text;
                    since.clear();
                }
                case FieldInstruction field when field.opcode() == Opcode.GETSTATIC -> {
                    String name = field.owner().asInternalName() + "." + field.name().stringValue();
                    if (errors.containsKey(name) || name.startsWith(DOMAIN)) {
                        body.constants.add(name);
                    }
                }
                case NewObjectInstruction made -> body.made.add(made.className().asInternalName());
                case InvokeDynamicInstruction dynamic -> {
                    for (ConstantDesc argument : dynamic.bootstrapArgs()) {
                        if (argument instanceof DirectMethodHandleDesc handle) {
                            Method function = new Method(internal(handle.owner().descriptorString()), handle.methodName(), handle.lookupDescriptor());
                            body.functions.add(function);
                            since.add(function);
                        }
                    }
                }
                case InvokeInstruction call -> {
                    String called = call.owner().asInternalName();
                    if (called.equals(CONTRACT) && BINDERS.contains(call.name().stringValue())) {
                        bound(owner, operation, since);
                    } else {
                        body.called.add(new Method(called, call.name().stringValue(), call.type().stringValue()));
                    }
                }
                default -> { }
            }
        }
        return body;
    }

    /** What is bound is a function, or else the object that takes the uploads of the package. */
    private void bound(String owner, String operation, Set<Method> functions) {
        if (owner.equals(CONTRACT)) {
            return;
        }
        Set<Method> starts = handlers.computeIfAbsent(operation, none -> new HashSet<>());
        starts.addAll(functions);
        if (functions.isEmpty()) {
            boolean takesUploads = supertypes(classes.get(owner)).contains(UPLOADS);
            classes.keySet().stream().filter(name -> takesUploads ? name.equals(owner) : inPackageOf(owner, name) && supertypes(classes.get(name)).contains(UPLOADS))
                    .forEach(name -> classes.get(name).methods().stream()
                            .filter(method -> method.methodName().equalsString("begin") || method.methodName().equalsString("complete"))
                            .forEach(method -> starts.add(named(name, method))));
        }
    }

    private static boolean inPackageOf(String owner, String name) {
        return name.substring(0, name.lastIndexOf('/')).equals(owner.substring(0, owner.lastIndexOf('/')));
    }

    private static String internal(String descriptor) {
        return descriptor.substring(1, descriptor.length() - 1);
    }

    private Set<ApiError> from(Set<Method> starts) {
        Set<Method> seen = new HashSet<>();
        Deque<Method> open = new ArrayDeque<>();
        Set<String> found = new TreeSet<>();
        Map<String, Set<String>> translated = new HashMap<>();
        starts.forEach(start -> reach(start, seen, open));
        while (!open.isEmpty()) {
            Method method = open.remove();
            Body body = bodies.get(method);
            reasonsOf(method).ifPresentOrElse(reasons -> translated.computeIfAbsent(reasons, none -> new HashSet<>()).addAll(body.constants), () -> found.addAll(body.constants));
            body.called.forEach(call -> {
                reach(call, seen, open);
                if (GIVEN_FUNCTIONS.contains(call.owner)) {
                    bodies.forEach((maker, making) -> {
                        if (inPackageOf(method.owner, maker.owner) && making.makes(call.owner)) {
                            making.functions.forEach(function -> reach(function, seen, open));
                            found.addAll(making.constants);
                        }
                    });
                }
            });
            body.functions.forEach(function -> reach(function, seen, open));
            body.made.forEach(made -> foreignCalls(made).forEach(foreign -> reach(foreign, seen, open)));
        }
        translated.forEach((reasons, names) -> names.stream().filter(name -> isGiven(reasons, name.substring(name.indexOf('.') + 1), found)).toList().forEach(found::add));
        return found.stream().filter(errors::containsKey).map(errors::get).collect(Collectors.toSet());
    }

    /** The type of the reasons of the domain for which a method of an error's own class finds the error. */
    private Optional<String> reasonsOf(Method method) {
        int end = method.descriptor.indexOf(';');
        boolean translates = errors.values().stream().anyMatch(error -> error.getClass().getName().replace('.', '/').equals(method.owner)) && method.descriptor.startsWith("(L" + DOMAIN);
        return translates ? Optional.of(method.descriptor.substring(2, end)) : Optional.empty();
    }

    /** Whether the reason of that name is named by the code; of an error that has another name than its reason that is not known. */
    private boolean isGiven(String reasons, String name, Set<String> found) {
        boolean hasReason = classes.get(reasons).fields().stream().anyMatch(field -> field.fieldName().equalsString(name));
        return !hasReason || found.contains(reasons + "." + name);
    }

    /** Every method that a call may reach. */
    private void reach(Method call, Set<Method> seen, Deque<Method> open) {
        if (!call.owner.startsWith(OURS) || call.name.equals("<clinit>")) {
            return;
        }
        List<Method> targets = new ArrayList<>();
        inherited(call, targets);
        if (!call.name.equals("<init>")) {
            overriding(call, targets);
        }
        targets.stream().filter(bodies::containsKey).filter(seen::add).forEach(open::add);
    }

    private void inherited(Method call, List<Method> targets) {
        Method declared = call;
        if (bodies.containsKey(declared)) {
            targets.add(declared);
        } else if (classes.containsKey(call.owner)) {
            supertypes(classes.get(call.owner)).forEach(above -> inherited(new Method(above, call.name, call.descriptor), targets));
        }
    }

    private void overriding(Method call, List<Method> targets) {
        subtypes.getOrDefault(call.owner, Set.of()).forEach(below -> {
            Method overridden = new Method(below, call.name, call.descriptor);
            if (bodies.containsKey(overridden)) {
                targets.add(overridden);
            }
            overriding(overridden, targets);
        });
    }

    /** Methods of an object that a library may call, because a type of that library has them. */
    private List<Method> foreignCalls(String made) {
        if (!classes.containsKey(made) || supertypes(classes.get(made)).stream().allMatch(above -> above.startsWith(OURS) || above.equals("java/lang/Object")
                || above.equals("java/lang/Record"))) {
            return List.of();
        }
        return classes.get(made).methods().stream().filter(method -> method.flags().has(AccessFlag.PUBLIC) && method.code().isPresent()).map(method -> named(made, method)).toList();
    }
}
