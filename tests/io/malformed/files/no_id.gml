graph [
node [ label "a" ]
]
